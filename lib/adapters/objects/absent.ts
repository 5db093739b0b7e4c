import { type Objects, Unavailable } from '../../ports.ts';

/** In production a folder would lose what is put into it: without a bucket images wait, and health says why. */
export function absentObjects(): Objects {
  const refuse = async () => {
    throw new Unavailable('S3_BUCKET is not set: images cannot be stored');
  };
  return { put: refuse, get: refuse, ping: refuse };
}
