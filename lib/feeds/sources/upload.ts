import { hash } from 'node:crypto';
import type { Ports } from '../../outside/ports.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FetchedFile } from '../feed-file.ts';
import { readUpload } from '../queries/uploads.ts';

/** The file that a person sent, once more into the file at `path`. */
export async function fetchUpload(
  { db, tempFiles }: Pick<Ports, 'db' | 'tempFiles'>,
  accountId: string,
  fileId: string,
  path: string,
): Promise<FetchedFile> {
  const upload = await readUpload(db, accountId, fileId);
  if (upload === null) throw new FeedFault('upload_gone', 'The file that was sent is not kept any more.');
  const bytes = Buffer.from(upload.content, 'base64');
  await tempFiles.fill(path, [bytes]);
  return {
    bytes: bytes.length,
    sha256: hash('sha256', bytes),
    fileTime: null,
    etag: null,
    lastModified: null,
  };
}
