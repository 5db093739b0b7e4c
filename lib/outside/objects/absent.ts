import { Unavailable } from '../faults.ts';
import type { Objects } from '../files.ts';

/** In production a folder would lose what is put into it: without a bucket images and feeds wait, and health says why. */
export function absentObjects(): Objects {
  const refuse = async () => {
    throw new Unavailable('S3_BUCKET is not set: nothing can be stored');
  };
  return { put: refuse, get: refuse, putFile: refuse, open: refuse, remove: refuse, ping: refuse };
}
