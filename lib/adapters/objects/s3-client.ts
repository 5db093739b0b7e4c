/** What is used of the client; a module of its own, so that it is loaded on first use, and by name in a bundle too. */
export {
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
