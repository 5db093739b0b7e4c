import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { runBundled } from '../../support/processes/bundled-function.ts';
import { jpeg } from '../../support/samples/pictures.ts';
import { listen } from '../../support/servers/ports.ts';
import { startS3 } from '../../support/servers/s3.ts';

/** What a bundle loads lazily (the fetcher's client, the S3 client, sharp) has to work from the bundle, too. */

const SOURCE = `
  import { connect } from '../../lib/connect.ts';
  import { fetchImage } from '../../lib/services/images/fetch-image.ts';
  export default async (url) => {
    const limits = { timeoutMs: 5000, signal: AbortSignal.timeout(30_000) };
    const ports = { ...connect(), images: { of: () => ({ stored: async () => null }) } };
    const outcome = await fetchImage(ports, { accountId: 'a', url, host: 'h', attempts: 0, fence: 1 }, limits);
    const private_ = await fetchImage(ports, { accountId: 'a', url: 'http://[::1]/', host: 'h', attempts: 0, fence: 1 }, limits);
    const bytes = await ports.objects.get('media/' + outcome.image?.hash.slice(0, 2) + '/' + outcome.image?.hash + '/320.webp');
    return [outcome.kind, outcome.reason, outcome.image?.width, bytes?.length > 0, private_.reason];
  };`;

test('a bundled function fetches, renders and stores an image in S3', async () => {
  const s3 = await startS3();
  const photo = await jpeg(800, 500);
  const server = createServer((_, response) => response.end(photo));
  const host = `127.0.0.1:${await listen(server)}`;
  const { settings } = s3;
  const printed = await runBundled({
    // Under the name of a function that ships sharp, a native package, which stays outside the bundle.
    file: 'api/cron/images.ts',
    native: true,
    source: SOURCE,
    argument: `http://${host}/a.jpg`,
    env: {
      OUTBOUND_ALLOW: host,
      S3_BUCKET: settings.bucket,
      S3_REGION: settings.region,
      S3_ENDPOINT: settings.endpoint ?? '',
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
  });
  server.close();
  await s3.stop();
  expect(printed).toBe(JSON.stringify(['stored', null, 800, true, 'address_refused']));
});
