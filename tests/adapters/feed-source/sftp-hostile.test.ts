import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { sftpSource } from '../../../lib/feeds/sources/sftp.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { freePort, listen } from '../../support/servers/ports.ts';
import { attributes, newHostKey, type SftpStream, sftpServer } from '../../support/servers/sftp-server.ts';
import { available } from '../../support/servers/sshd.ts';
import { catchFault } from './catch-fault.ts';

/** Servers that keep the protocol and mean harm. */

const ANNOUNCED = 1_000;
const SENT = 200_000_000;

const folder = await suiteFolder();
const path = join(folder, 'file');

async function fetchFrom(port: number, hostKeySha256: string, timeoutMs: number) {
  const fetch = sftpSource({ allow: new Set([`127.0.0.1:${port}`]) }, { now: Date.now });
  const url = `sftp://127.0.0.1:${port}/a.csv`;
  const location = { protocol: 'sftp' as const, url, username: 'joe', password: 'x', privateKey: null };
  const limits = { maxBytes: 1_000_000_000, timeoutMs, minFreeBytes: 0 };
  return fetch({ ...location, hostKeySha256 }, { etag: null, lastModified: null }, path, limits);
}

function lie(sftp: SftpStream): void {
  sftp.on('REALPATH', (id: number, path: string) =>
    sftp.name(id, [{ filename: path, longname: path, attrs: attributes(ANNOUNCED) }]),
  );
  for (const name of ['STAT', 'LSTAT']) sftp.on(name, (id: number) => sftp.attrs(id, attributes(ANNOUNCED)));
  sftp.on('OPEN', (id: number) => sftp.handle(id, Buffer.from('h')));
  sftp.on('FSTAT', (id: number) => sftp.attrs(id, attributes(SENT)));
  sftp.on('READ', (id: number, _handle: Buffer, _at: number, length: number) =>
    sftp.data(id, Buffer.alloc(length)),
  );
  sftp.on('CLOSE', (id: number) => sftp.status(id, 0));
}

test.skipIf(!available())(
  'one that sends more than it announced is cut off as the bytes arrive',
  async () => {
    const { file, fingerprint } = newHostKey(folder, 'liar');
    const server = await sftpServer(file, lie);
    const port = await listen(server);
    expect((await catchFault(fetchFrom(port, fingerprint, 30_000))).reason).toBe('file_changing');
    expect((await stat(path)).size).toBeLessThan(20_000_000);
    server.close();
  },
);

test.skipIf(!available())(
  'one that sends its file a byte a packet leaves the process to others',
  async () => {
    const { file: keyFile, fingerprint } = newHostKey(folder, 'dripping');
    const port = await freePort();
    const server = new Worker(new URL('../../support/servers/dripping-sftp.ts', import.meta.url), {
      workerData: { keyFile, port },
    });
    // Until the server listens.
    while ((await catchFault(fetchFrom(port, fingerprint, 1_500))).reason !== 'timeout');
    const before = process.threadCpuUsage();
    expect((await catchFault(fetchFrom(port, fingerprint, 5_000))).reason).toBe('timeout');
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
    await server.terminate();
  },
  60_000,
);
