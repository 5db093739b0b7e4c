import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleFunction } from '../../scripts/build.ts';
import { jpeg } from '../support/pictures.ts';
import { listen } from '../support/ports.ts';
import { startS3 } from '../support/s3.ts';

/** What a bundle loads lazily (the fetcher's client, the S3 client, sharp) has to work from the bundle, too. */

const ROOT = new URL('../..', import.meta.url).pathname;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ctis-bundle-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SOURCE = `
  import { connect } from '../../lib/connect.ts';
  import { fetchImage } from '../../lib/services/fetch-image.ts';
  export default async (url) => {
    const ports = { ...connect(), images: { of: () => ({ stored: async () => null }) } };
    const outcome = await fetchImage(ports, { accountId: 'a', url, host: 'h', attempts: 0, fence: 1 }, 5000);
    const private_ = await fetchImage(ports, { accountId: 'a', url: 'http://[::1]/', host: 'h', attempts: 0, fence: 1 }, 5000);
    const bytes = await ports.objects.get('media/' + outcome.image?.hash.slice(0, 2) + '/' + outcome.image?.hash + '/320.webp');
    return [outcome.kind, outcome.reason, outcome.image?.width, bytes?.length > 0, private_.reason];
  };`;

test('a bundled function fetches, renders and stores an image in S3', async () => {
  const s3 = await startS3();
  const photo = await jpeg(800, 500);
  const server = createServer((_, response) => response.end(photo));
  const host = `127.0.0.1:${await listen(server)}`;
  const tree = join(folder, 'tree');
  await mkdir(join(tree, 'api', 'cron'), { recursive: true });
  await writeFile(join(tree, 'package.json'), '{"type":"module"}');
  // Under the name of a function that ships sharp.
  await writeFile(join(tree, 'api', 'cron', 'images.ts'), SOURCE);
  for (const name of ['lib', 'drizzle', 'node_modules']) await symlink(join(ROOT, name), join(tree, name));
  const out = join(folder, 'out');
  for (const { path, text } of await bundleFunction(tree, 'api/cron/images.ts')) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, path), text);
  }
  await writeFile(join(out, 'package.json'), '{"type":"module"}');
  // Native packages stay outside the bundle.
  await symlink(join(ROOT, 'node_modules'), join(out, 'node_modules'));
  const run = `import probe from './api/cron/images.js';
    probe('http://${host}/a.jpg').then((answer) => { console.log(JSON.stringify(answer)); process.exit(0); });`;
  await writeFile(join(out, 'run.js'), run);
  const { settings } = s3;
  const child = spawn(process.execPath, [join(out, 'run.js')], {
    env: {
      ...{
        PATH: process.env.PATH,
        VERCEL: '1',
        DATA_DIR: 'memory',
        OUTBOUND_ALLOW: host,
        S3_BUCKET: settings.bucket,
      },
      ...{
        S3_REGION: settings.region,
        S3_ENDPOINT: settings.endpoint ?? '',
        S3_ACCESS_KEY_ID: settings.accessKeyId,
      },
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data));
  await new Promise((resolve) => child.once('close', resolve));
  server.close();
  await s3.stop();
  expect(printed.trim()).toBe(JSON.stringify(['stored', null, 800, true, 'address_refused']));
});
