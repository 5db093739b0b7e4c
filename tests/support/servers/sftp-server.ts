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

/** A key of a server's own, and its fingerprint as ssh-keygen prints it. */
export function newHostKey(folder: string, name: string): { file: string; fingerprint: string } {
  const file = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-l', '-f', file], { encoding: 'utf8' }).split(
    ' ',
  );
  return { file, fingerprint };
}

/** What a server says of a file of so many bytes. */
export const attributes = (size: number) => ({ mode: 0o100644, uid: 0, gid: 0, size, atime: 1, mtime: 1 });

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
