import { Unavailable } from '../faults.ts';
import type { Objects } from '../files.ts';
import { within } from '../system/within.ts';
import type { Clock } from '../system.ts';
import { checkedKey } from './key.ts';
import type { S3Calls, S3Settings } from './s3-client.ts';

/** Of a call as a whole, its tries together; the client bounds only silence. */
const CALL_MS = 45_000;
/** Of storing a large file. */
const FILE_MS = 600_000;

/** Objects in an S3 bucket, or in anything that speaks its protocol. What fails or lasts is `Unavailable`. */
export function s3Objects(settings: S3Settings, clock: Clock, callMs: number = CALL_MS): Objects {
  let opened: Promise<S3Calls> | undefined;
  const withClient = async <T>(work: (calls: S3Calls) => Promise<T>, timeoutMs = callMs): Promise<T> => {
    opened ??= import('./s3-client.ts').then(({ s3Calls }) => s3Calls(settings));
    const calls = await opened;
    try {
      return await within(timeoutMs, () => work(calls));
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
      await withClient((calls) => calls.putFile(checked, path, contentType), FILE_MS);
    },
    async open(key) {
      const checked = checkedKey(key);
      const body = await withClient((calls) => calls.open(checked));
      return body && pieces(body, callMs);
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

async function* pieces(body: AsyncIterable<Uint8Array>, pieceMs: number): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const next = await within(pieceMs, () => source.next());
      if (next.done) {
        isDone = true;
        return;
      }
      yield next.value;
    }
  } catch (error) {
    throw unavailable(error);
  } finally {
    // Not awaited: what is silent does not end in order either.
    if (!isDone) source.return?.().catch(() => undefined);
  }
}

function unavailable(cause: unknown): Unavailable {
  return new Unavailable('the object store does not answer', { cause });
}
