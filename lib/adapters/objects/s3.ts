import { type Clock, type Objects, Unavailable } from '../../ports.ts';
import { checkedKey } from './key.ts';
import type { S3Client } from './s3-client.ts';

export interface S3Settings {
  bucket: string;
  region: string;
  /** Null: AWS itself. */
  endpoint: string | null;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Whole exchange, and connecting, in ms. */
const REQUEST_MS = 15_000;
const CONNECT_MS = 2_000;

/**
 * Objects in an S3 bucket, or in anything that speaks its protocol. Checksums only where the protocol demands them:
 * by default the client sends them in a framing that simple servers store as if it were content.
 */
export function s3Objects(settings: S3Settings, clock: Clock): Objects {
  const { bucket: Bucket } = settings;
  let opened: Promise<Opened> | undefined;
  const open = () => {
    opened ??= openClient(settings);
    return opened;
  };
  return {
    async put(key, bytes, contentType) {
      const Key = checkedKey(key);
      const Body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const { client, sdk } = await open();
      await told(client.send(new sdk.PutObjectCommand({ Bucket, Key, Body, ContentType: contentType })));
    },
    async get(key) {
      const Key = checkedKey(key);
      const { client, sdk } = await open();
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }));
        return Body ? await Body.transformToByteArray() : null;
      } catch (error) {
        if (error instanceof sdk.NoSuchKey || statusOf(error) === 404) return null;
        throw new Unavailable('the object store does not answer', { cause: error });
      }
    },
    async ping() {
      const started = clock.now();
      const { client, sdk } = await open();
      await told(client.send(new sdk.HeadBucketCommand({ Bucket })));
      return clock.now() - started;
    },
  };
}

interface Opened {
  client: S3Client;
  sdk: typeof import('./s3-client.ts');
}

async function openClient(settings: S3Settings): Promise<Opened> {
  const sdk = await import('./s3-client.ts');
  const client = new sdk.S3Client({
    region: settings.region,
    ...(settings.endpoint === null ? {} : { endpoint: settings.endpoint }),
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    forcePathStyle: settings.endpoint !== null,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: REQUEST_MS,
      throwOnRequestTimeout: true,
    },
  });
  return { client, sdk };
}

async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Unavailable('the object store does not answer', { cause: error });
  }
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined;
  const { $metadata: meta } = error;
  if (typeof meta !== 'object' || meta === null || !('httpStatusCode' in meta)) return undefined;
  return typeof meta.httpStatusCode === 'number' ? meta.httpStatusCode : undefined;
}
