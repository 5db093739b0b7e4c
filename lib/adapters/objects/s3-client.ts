import {
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Settings } from './s3.ts';

/** Whole exchange, and connecting, in ms. */
const REQUEST_MS = 15_000;
const CONNECT_MS = 2_000;

/** The three calls that are needed; every failure is the client's own error. */
export interface S3Calls {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<unknown>;
  /** Null when there is no such object. */
  get(key: string): Promise<Uint8Array | null>;
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
      throwOnRequestTimeout: true,
    },
  });
  return {
    put(Key, bytes, ContentType) {
      const Body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }));
    },
    async get(Key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return Body ? await Body.transformToByteArray() : null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    headBucket: () => client.send(new HeadBucketCommand({ Bucket })),
  };
}
