import { Unavailable } from '../../ports/faults.ts';
import type { Objects } from '../../ports/files.ts';
import type { Clock } from '../../ports/system.ts';
import { checkedKey } from './key.ts';
import type { S3Calls, S3Settings } from './s3-client.ts';

/** Objects in an S3 bucket, or in anything that speaks its protocol. What fails is `Unavailable`. */
export function s3Objects(settings: S3Settings, clock: Clock): Objects {
  let opened: Promise<S3Calls> | undefined;
  const withClient = async <T>(work: (calls: S3Calls) => Promise<T>): Promise<T> => {
    opened ??= import('./s3-client.ts').then(({ s3Calls }) => s3Calls(settings));
    const calls = await opened;
    try {
      return await work(calls);
    } catch (error) {
      throw unavailable(error);
    }
  };
  return {
    async put(key, bytes, contentType) {
      const checked = checkedKey(key);
      await withClient((calls) => calls.put(checked, bytes, contentType));
    },
    async get(key) {
      const checked = checkedKey(key);
      return withClient((calls) => calls.get(checked));
    },
    async putFile(key, path, contentType) {
      const checked = checkedKey(key);
      await withClient((calls) => calls.putFile(checked, path, contentType));
    },
    async open(key) {
      const checked = checkedKey(key);
      const body = await withClient((calls) => calls.open(checked));
      return body && pieces(body);
    },
    async remove(key) {
      const checked = checkedKey(key);
      await withClient((calls) => calls.remove(checked));
    },
    async ping() {
      const started = clock.now();
      await withClient((calls) => calls.headBucket());
      return clock.now() - started;
    },
  };
}

async function* pieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(cause: unknown): Unavailable {
  return new Unavailable('the object store does not answer', { cause });
}
