import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { startHttpsServer } from '../../support/servers/https-server.ts';
import { freePort, listen } from '../../support/servers/ports.ts';
import { newHostKey, serveFile, sftpServer } from '../../support/servers/sftp-server.ts';
import { available } from '../../support/servers/sshd.ts';
import { startFetching } from './fetch-from.ts';

/** Servers that keep the protocol and mean harm: each is bounded in bytes and time, and costs this thread nothing. */

const { folder, path, findFault } = await startFetching();
const stops: (() => unknown)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

const ANNOUNCED = 1_000;

/** Sends without end, whatever it was asked for. */
async function endlessHttps() {
  const server = await startHttpsServer((_, response) => {
    const pump = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', pump);
    pump();
  });
  stops.push(server.close);
  return { url: server.origin };
}

/** Announces a small file, and answers every read of it in full. */
async function lyingSftp() {
  const { file, fingerprint } = newHostKey(folder, 'liar');
  const server = await sftpServer(file, (sftp) => serveFile(sftp, ANNOUNCED, Buffer.alloc));
  stops.push(() => server.close());
  return { url: `sftp://127.0.0.1:${await listen(server)}/a.csv`, host_key_sha256: fingerprint };
}

/** Sends its file a byte a packet, from a thread of its own. */
async function drippingSftp() {
  const { file: keyFile, fingerprint } = newHostKey(folder, 'dripping');
  const port = await freePort();
  const server = new Worker(new URL('../../support/servers/dripping-sftp.ts', import.meta.url), {
    workerData: { keyFile, port },
  });
  stops.push(() => server.terminate());
  const url = `sftp://127.0.0.1:${port}/a.csv`;
  const account = { ...ACCOUNT, host_key_sha256: fingerprint };
  // Until the server listens.
  while ((await findFault(url, account, { timeoutMs: 1_500 })).reason === 'connection_failed');
  return { url, host_key_sha256: fingerprint };
}

const ACCOUNT = { username: 'joe', password: 'x' };

describe.skipIf(!available())('a server that', () => {
  test.each([
    ['sends without end', endlessHttps, 'too_large', 300_000, 60_000],
    ['sends more than it announced', lyingSftp, 'file_changing', 100_000, 60_000],
    ['sends a byte a packet', drippingSftp, 'timeout', 60_000_000, 5_000],
  ])(
    '%s is cut off as the bytes arrive, and leaves the process to others',
    async (_, start, reason, maxBytes, timeoutMs) => {
      const { url, ...key }: { url: string; host_key_sha256?: string } = await start();
      const before = process.threadCpuUsage();
      const fault = await findFault(url, { ...ACCOUNT, ...key }, { maxBytes, timeoutMs });
      expect(fault.reason).toBe(reason);
      const { user, system } = process.threadCpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(500);
      expect((await stat(path)).size).toBeLessThanOrEqual(maxBytes);
    },
  );
});
