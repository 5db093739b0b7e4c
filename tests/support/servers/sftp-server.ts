import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Server } from 'node:net';
import { join } from 'node:path';

/** As far as it is needed here: the server half of ssh2, which has no types. */
interface Emitter {
  on(name: string, listener: unknown): void;
}
export interface SftpStream extends Emitter {
  name(id: number, names: object[]): void;
  attrs(id: number, attributes: object): void;
  handle(id: number, handle: Buffer): void;
  data(id: number, data: Buffer): void;
  status(id: number, code: number): void;
}

/** A key of somebody's own, and its fingerprint as ssh-keygen prints it. */
export function newHostKey(folder: string, name: string, passphrase = '') {
  const file = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', name, '-f', file]);
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-l', '-f', file], { encoding: 'utf8' }).split(
    ' ',
  );
  return { file, fingerprint };
}

/** Answers a session that there is a file of so many bytes, once it is open of 200 MB, and each read of it by `read`. */
export function serveFile(sftp: SftpStream, size: number, readBytes: (length: number) => Buffer): void {
  const describe = (bytes: number) => ({ mode: 0o100644, uid: 0, gid: 0, size: bytes, atime: 1, mtime: 1 });
  sftp.on('REALPATH', (id: number, path: string) =>
    sftp.name(id, [{ filename: path, longname: path, attrs: describe(size) }]),
  );
  for (const name of ['STAT', 'LSTAT']) sftp.on(name, (id: number) => sftp.attrs(id, describe(size)));
  sftp.on('FSTAT', (id: number) => sftp.attrs(id, describe(200_000_000)));
  sftp.on('OPEN', (id: number) => sftp.handle(id, Buffer.from('h')));
  sftp.on('READ', (id: number, _handle: Buffer, _at: number, length: number) =>
    sftp.data(id, readBytes(length)),
  );
  sftp.on('CLOSE', (id: number) => sftp.status(id, 0));
}

/** An attempt to log in. */
export interface Login {
  method: string;
  username: string;
  password: string;
  accept(): void;
  reject(methods?: string[]): void;
  prompt(prompts: string, answered: (answers: string[]) => void): void;
}

/** An SSH server that lets everyone in unless `judge` does not; `serve` answers what an SFTP session asks. It does not listen yet. */
export async function sftpServer(
  keyFile: string,
  serve: (sftp: SftpStream) => void,
  judge = (login: Login) => login.accept(),
): Promise<Server> {
  const { Server: SshServer } = createRequire(import.meta.resolve('ssh2-sftp-client'))('ssh2');
  return new SshServer({ hostKeys: [await readFile(keyFile)] }, (client: Emitter) => {
    client.on('error', () => undefined);
    client.on('authentication', judge);
    client.on('session', (acceptSession: () => Emitter) =>
      acceptSession().on('sftp', (acceptSftp: () => SftpStream) => serve(acceptSftp())),
    );
  });
}
