import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Unavailable } from '../faults.ts';
import type { Objects } from '../files.ts';
import { within } from '../system/within.ts';
import type { Clock } from '../system.ts';
import { checkedKey } from './key.ts';

export interface S3Settings {
  bucket: string;
  region: string;
  /** Null: AWS itself. */
  endpoint: string | null;
  accessKeyId: string;
  secretAccessKey: string;
}

/** For a call with all its tries; the client itself bounds only silence. */
const CALL_MS = 45_000;
/** For storing a large file. */
const FILE_MS = 600_000;
/** For one exchange, and for connecting. */
const REQUEST_MS = 15_000;
const CONNECT_MS = 2_000;
const PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 2;

/** Objects in an S3 bucket, or in anything that speaks its protocol. What fails or lasts is `Unavailable`. */
export function s3Objects(settings: S3Settings, clock: Clock, callMs: number = CALL_MS): Objects {
  const client = openClient(settings);
  const Bucket = settings.bucket;
  const call = <T>(work: () => Promise<T>, timeoutMs = callMs): Promise<T> =>
    within(timeoutMs, work).catch(throwUnavailable);
  const getBody = (Key: string) =>
    call(async () => {
      try {
        return (await client.send(new GetObjectCommand({ Bucket, Key }))).Body ?? null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    });
  return {
    async put(key, bytes, ContentType) {
      const Body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const command = new PutObjectCommand({ Bucket, Key: checkedKey(key), Body, ContentType });
      await call(() => client.send(command));
    },
    async get(key) {
      const body = await getBody(checkedKey(key));
      return body && call(() => body.transformToByteArray());
    },
    async putFile(key, path, ContentType) {
      const Body = createReadStream(path);
      const params = { Bucket, Key: checkedKey(key), Body, ContentType };
      const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: MAX_PARTS });
      await call(() => upload.done(), FILE_MS).finally(() => Body.destroy());
    },
    async open(key) {
      const body = await getBody(checkedKey(key));
      if (body === null) return null;
      // In Node the client answers one of Node's streams.
      if (!(body instanceof Readable)) throw new TypeError('the body is no stream');
      return pieces(body, callMs);
    },
    async remove(key) {
      const command = new DeleteObjectCommand({ Bucket, Key: checkedKey(key) });
      await call(() => client.send(command));
    },
    async ping() {
      const startedMs = clock.now();
      await call(() => client.send(new HeadBucketCommand({ Bucket })));
      return clock.now() - startedMs;
    },
  };
}

/**
 * Checksums only where the protocol demands them: by default the client sends them in a framing that simple servers store as
 * if it were content.
 */
const openClient = ({ region, endpoint, accessKeyId, secretAccessKey }: S3Settings): S3Client =>
  new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint }),
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: endpoint !== null,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: REQUEST_MS,
      socketTimeout: REQUEST_MS,
      throwOnRequestTimeout: true,
    },
  });

async function* pieces(body: Readable, pieceMs: number): AsyncGenerator<Uint8Array> {
  const source: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await within(pieceMs, () => source.next());
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throwUnavailable(error);
  } finally {
    body.destroy();
  }
}

function throwUnavailable(cause: unknown): never {
  throw new Unavailable('the object store does not answer', { cause });
}
