import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Server } from 'node:net';
import { workerData } from 'node:worker_threads';

/** The thread of an SFTP server that answers every read with a single byte, so that a file costs a packet a byte. */

/** As far as it is needed here: the server half of ssh2, which has no types. */
interface Emitter {
  on(name: string, listener: unknown): void;
}
interface SftpStream extends Emitter {
  name(id: number, names: object[]): void;
  attrs(id: number, attributes: object): void;
  handle(id: number, handle: Buffer): void;
  data(id: number, data: Buffer): void;
}

const { keyFile, port } = workerData as { keyFile: string; port: number };
const attributes = { mode: 0o100644, uid: 0, gid: 0, size: 50_000_000, atime: 1, mtime: 1 };

function serve(sftp: SftpStream): void {
  sftp.on('REALPATH', (id: number, path: string) =>
    sftp.name(id, [{ filename: path, longname: path, attrs: attributes }]),
  );
  for (const name of ['STAT', 'LSTAT', 'FSTAT']) sftp.on(name, (id: number) => sftp.attrs(id, attributes));
  sftp.on('OPEN', (id: number) => sftp.handle(id, Buffer.from('h')));
  sftp.on('READ', (id: number) => sftp.data(id, Buffer.from('a')));
}

const { Server: SshServer } = createRequire(import.meta.resolve('ssh2-sftp-client'))('ssh2');
const server: Server = new SshServer({ hostKeys: [await readFile(keyFile)] }, (client: Emitter) => {
  client.on('error', () => undefined);
  client.on('authentication', (attempt: { accept(): void }) => attempt.accept());
  client.on('session', (acceptSession: () => Emitter) =>
    acceptSession().on('sftp', (acceptSftp: () => SftpStream) => serve(acceptSftp())),
  );
});
server.listen(port, '127.0.0.1');
