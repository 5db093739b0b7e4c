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

/** Whole exchange, and connecting, in ms. */
const REQUEST_MS = 15_000;
const CONNECT_MS = 2_000;
const PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 2;

export interface S3Settings {
  bucket: string;
  region: string;
  /** Null: AWS itself. */
  endpoint: string | null;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The calls that are needed; every failure is the client's own error. */
export interface S3Calls {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<unknown>;
  /** Null when there is no such object. */
  get(key: string): Promise<Uint8Array | null>;
  /** In parts, of which a few are in memory at a time. */
  putFile(key: string, path: string, contentType: string): Promise<unknown>;
  open(key: string): Promise<AsyncIterable<Uint8Array> | null>;
  remove(key: string): Promise<unknown>;
  headBucket(): Promise<unknown>;
}

/**
 * A module of its own, so that the client is loaded on first use only, and by its names in a bundle too. Checksums only
 * where the protocol demands them: by default the client sends them in a framing that simple servers store as if it were
 * content.
 */
export function s3Calls({
  bucket: Bucket,
  region,
  endpoint,
  accessKeyId,
  secretAccessKey,
}: S3Settings): S3Calls {
  const client = new S3Client({
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
  const body = async (Key: string) => {
    try {
      return (await client.send(new GetObjectCommand({ Bucket, Key }))).Body ?? null;
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  };
  return {
    put(Key, bytes, ContentType) {
      const Body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }));
    },
    async get(Key) {
      const found = await body(Key);
      return found ? found.transformToByteArray() : null;
    },
    async putFile(Key, path, ContentType) {
      const Body = createReadStream(path);
      try {
        const params = { Bucket, Key, Body, ContentType };
        await new Upload({ client, params, partSize: PART_BYTES, queueSize: MAX_PARTS }).done();
      } finally {
        Body.destroy();
      }
    },
    async open(Key) {
      const found = await body(Key);
      if (found === null) return null;
      // In Node the client answers one of Node's streams.
      if (!(found instanceof Readable)) throw new TypeError('the body is no stream');
      return found;
    },
    remove: (Key) => client.send(new DeleteObjectCommand({ Bucket, Key })),
    headBucket: () => client.send(new HeadBucketCommand({ Bucket })),
  };
}
