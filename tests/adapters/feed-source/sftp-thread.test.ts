import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { sftpSource } from '../../../lib/feeds/sources/sftp.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { freePort } from '../../support/servers/ports.ts';
import { available } from '../../support/servers/sshd.ts';
import { catchFault } from './catch-fault.ts';

const folder = await suiteFolder();

test.skipIf(!available())(
  'a server that sends its file a byte a packet leaves the process to others',
  async () => {
    const keyFile = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile]);
    const port = await freePort();
    const server = new Worker(new URL('../../support/servers/dripping-sftp.ts', import.meta.url), {
      workerData: { keyFile, port },
    });
    const fetch = sftpSource({ allow: new Set([`127.0.0.1:${port}`]) }, { now: Date.now });
    const [, hostKeySha256 = ''] = execFileSync('ssh-keygen', ['-l', '-f', keyFile], {
      encoding: 'utf8',
    }).split(' ');
    const location = {
      protocol: 'sftp' as const,
      url: `sftp://127.0.0.1:${port}/a.csv`,
      username: 'joe',
      password: 'x',
      privateKey: null,
      hostKeySha256,
    };
    const take = (timeoutMs: number) =>
      fetch(location, { etag: null, lastModified: null }, join(folder, 'file'), {
        maxBytes: 100_000_000,
        timeoutMs,
        minFreeBytes: 0,
      });
    // Until the server listens.
    while ((await catchFault(take(1_500))).reason !== 'timeout');
    const before = process.threadCpuUsage();
    expect((await catchFault(take(5_000))).reason).toBe('timeout');
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
    await server.terminate();
  },
  60_000,
);
