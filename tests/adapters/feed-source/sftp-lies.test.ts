import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sftpSource } from '../../../lib/feeds/sources/sftp.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { listen } from '../../support/servers/ports.ts';
import { attributes, type SftpStream, sftpServer } from '../../support/servers/sftp-server.ts';
import { available } from '../../support/servers/sshd.ts';

/** A server that announces a small file and sends a large one. */

const ANNOUNCED = 1_000;
const SENT = 200_000_000;

const folder = await suiteFolder();

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

async function startLiar() {
  const key = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const server = await sftpServer(key, lie);
  const port = await listen(server);
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-l', '-f', key], { encoding: 'utf8' }).split(' ');
  return { server, port, fingerprint };
}

test.skipIf(!available())(
  'a server that sends more than it announced is cut off as the bytes arrive',
  async () => {
    const { server, port, fingerprint } = await startLiar();
    const path = join(folder, 'file');
    const location = {
      protocol: 'sftp' as const,
      url: `sftp://127.0.0.1:${port}/a.csv`,
      username: 'joe',
      password: 'x',
      privateKey: null,
      hostKeySha256: fingerprint,
    };
    const fetch = sftpSource({ allow: new Set([`127.0.0.1:${port}`]) }, { now: () => Date.now() });
    const limits = { maxBytes: 1_000_000_000, timeoutMs: 30_000, minFreeBytes: 0 };
    await expect(fetch(location, { etag: null, lastModified: null }, path, limits)).rejects.toMatchObject({
      reason: 'file_changing',
    });
    expect((await stat(path)).size).toBeLessThan(20_000_000);
    server.close();
  },
);
