import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import yazl from 'yazl';
import { runBundled } from '../../support/processes/bundled-function.ts';
import { startS3 } from '../../support/servers/s3.ts';
import { available, startSshd } from '../../support/servers/sshd.ts';

/** What a feed loads lazily (SSH, zip, XML, the S3 client's uploads) has to work from the bundle, too. */

const SOURCE = `
  import { connect } from '../../lib/connect.ts';
  import { FEED_DEFAULTS as feed } from '../../lib/feeds/feed.ts';
  export default async (location) => {
    const ports = connect();
    const file = await ports.tempFiles.make();
    const nothing = { etag: null, lastModified: null };
    const limits = { maxBytes: 1e6, timeoutMs: 10000 };
    await ports.feedSource.fetch(location, nothing, file.path, limits);
    await ports.objects.putFile('feeds/a/b/raw', file.path, 'application/octet-stream');
    await ports.tempFiles.fill(file.path, await ports.objects.open('feeds/a/b/raw'));
    const { format, parts } = await ports.feedFiles.open(file.path, feed, 30000);
    const rows = [];
    for await (const { bytes } of parts())
      for (const { record } of (await ports.feedFiles.rows([bytes])).flat()) rows.push(record.vin);
    const refused = await ports.feedSource.fetch({ ...location, host_key_sha256: null }, nothing, file.path, limits)
      .catch(({ reason }) => reason);
    await file.remove();
    await ports.objects.remove('feeds/a/b/raw');
    return [format, rows, refused, await ports.objects.get('feeds/a/b/raw')];
  };`;

test.skipIf(!available())(
  'a bundled function takes a zip of XML from sshd, stages it in S3, and reads it',
  async () => {
    const [s3, sshd] = await Promise.all([startS3(), startSshd()]);
    const zip = new yazl.ZipFile();
    const rows = ['A100', 'B200'].map((vin) => `<truck><vin>${vin}</vin></truck>`).join('');
    zip.addBuffer(Buffer.from(`<trucks>${rows}</trucks>`), 'trucks.xml');
    zip.end();
    await writeFile(join(sshd.folder, 'trucks.zip'), zip.outputStream);
    const location = {
      protocol: 'sftp',
      url: sshd.url(join(sshd.folder, 'trucks.zip')),
      username: sshd.username,
      password: null,
      private_key: sshd.privateKey,
      host_key_sha256: sshd.fingerprint,
    };
    const { settings } = s3;
    const printed = await runBundled({
      file: 'api/cron/due.js',
      source: SOURCE,
      argument: location,
      env: {
        OUTBOUND_ALLOW: `127.0.0.1:${sshd.port}`,
        S3_BUCKET: settings.bucket,
        S3_REGION: settings.region,
        S3_ENDPOINT: settings.endpoint ?? '',
        S3_ACCESS_KEY_ID: settings.accessKeyId,
        S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
      },
    });
    await Promise.all([sshd.stop(), s3.stop()]);
    expect(printed.slice(-2_000)).toBe(JSON.stringify(['xml', ['A100', 'B200'], 'host_key_unknown', null]));
  },
);
