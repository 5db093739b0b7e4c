import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StartFault } from '../start-fault.ts';

/** Whom the embedded PostgreSQL runs as where root starts the service: PostgreSQL refuses to run as root. */
export interface ServerUser {
  uid: number;
  gid: number;
}

const REMEDY = 'start the service as another user, or set POSTGRES_URL to a database of your own';
const run = promisify(execFile);

/** The owner of the database's folder; before there is one `postgres`, who is made if need be. */
export async function chooseServerUser(folder: string): Promise<ServerUser> {
  if (fs.existsSync(folder)) {
    const { uid, gid } = fs.statSync(folder);
    return { uid, gid };
  }
  const readId = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  const read = async () => ({ uid: await readId('-u'), gid: await readId('-g') });
  try {
    return await read().catch(() => run('useradd', ['--system', '--user-group', 'postgres']).then(read));
  } catch (cause) {
    const reason = 'PostgreSQL does not run as root, and a user postgres cannot be made';
    throw new StartFault(`${reason}: ${REMEDY}.`, { cause });
  }
}

/** Lets the user enter `own`, and checks that he may enter all other folders that lead to `path`. */
export function openFolders(path: string, user: ServerUser, own: string): void {
  for (let folder = fs.realpathSync(dirname(path)); ; folder = dirname(folder)) {
    const { mode, uid, gid } = fs.statSync(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    const isClosed = (mode & bit) === 0;
    if (isClosed && folder === fs.realpathSync(own)) {
      fs.chownSync(folder, uid, user.gid);
      fs.chmodSync(folder, (mode & 0o777) | 0o010);
    } else if (isClosed) {
      const reason = `PostgreSQL does not run as root, and its user may not enter ${folder}`;
      throw new StartFault(`${reason}: run chmod o+x ${folder}, ${REMEDY}.`);
    }
    if (folder === dirname(folder)) return;
  }
}
