import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { S3Settings } from '../../../lib/outside/objects/s3.ts';

/** A server of S3's protocol on loopback, its data in a temporary folder. */
export async function startS3() {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-s3-'));
  const bucket = 'trucks';
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: folder,
    silent: true,
    configureBuckets: [{ name: bucket }],
  });
  const { port }: AddressInfo = await server.run();
  const settings: S3Settings = {
    bucket,
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  };
  return {
    settings,
    async stop() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
