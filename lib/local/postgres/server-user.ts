import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { StartFault } from '../start-fault.ts';

/** The user that PostgreSQL runs as if root starts the service: PostgreSQL refuses to run as root. */
export interface ServerUser {
  uid: number;
  gid: number;
}

const run = promisify(execFile);

/** Returns the owner of the database's folder. Without a folder it is `postgres`, who is created if necessary. */
export async function chooseServerUser(folder: string): Promise<ServerUser> {
  if (fs.existsSync(folder)) return fs.statSync(folder);
  const readId = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  const readUser = async () => ({ uid: await readId('-u'), gid: await readId('-g') });
  try {
    return await readUser().catch(() =>
      run('useradd', ['--system', '--user-group', 'postgres']).then(readUser),
    );
  } catch (cause) {
    throw new StartFault(
      'PostgreSQL does not run as root, and a user postgres cannot be made: start the service as another user, or set POSTGRES_URL to a database of your own.',
      { cause },
    );
  }
}

/** Lets the user enter a folder that is closed to others. */
export function letIn({ gid }: ServerUser, folder: string): void {
  const { mode, uid } = fs.statSync(folder);
  if (mode & 0o001) return;
  fs.chownSync(folder, uid, gid);
  fs.chmodSync(folder, (mode & 0o777) | 0o010);
}
