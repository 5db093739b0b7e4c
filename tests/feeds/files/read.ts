import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import yazl from 'yazl';
import { FeedFault } from '../../../lib/feeds/feed-faults.ts';
import type { FeedRow } from '../../../lib/feeds/feed-file.ts';
import { readFeedFile } from '../../../lib/feeds/files/read-file.ts';
import type { FeedFormat } from '../../../lib/feeds/schemas/feed-files.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';

export interface Reading {
  file: Awaited<ReturnType<typeof readFeedFile>>;
  rows: FeedRow[];
}

export interface ReadOptions {
  format?: FeedFormat | null;
}

export interface Folder {
  path(name: string): string;
  write(content: string | Uint8Array): Promise<string>;
  /** Reads a file of this content from beginning to end. */
  read(content: string | Uint8Array, options?: ReadOptions): Promise<Reading>;
  /** The reason and message it fails with, or `read` when it does not. */
  catchFault(content: string | Uint8Array, options?: ReadOptions): Promise<string>;
}

export async function newFolder(): Promise<Folder> {
  const folder = await suiteFolder();
  let serial = 0;
  const write = async (content: string | Uint8Array) => {
    const path = join(folder, `file-${++serial}`);
    await writeFile(path, content);
    return path;
  };
  const read = async (content: string | Uint8Array, options: ReadOptions = {}) =>
    readPath(await write(content), options);
  return {
    path: (name) => join(folder, name),
    write,
    read,
    catchFault: (content, options) =>
      read(content, options).then(
        () => 'read',
        (error: unknown) => {
          if (error instanceof FeedFault) return `${error.reason}: ${error.message}`;
          throw error;
        },
      ),
  };
}

async function readPath(path: string, { format = null }: ReadOptions = {}): Promise<Reading> {
  const file = await readFeedFile(path, format);
  const rows: FeedRow[] = [];
  for await (const some of file.rows) for (const row of some) rows.push(row);
  return { file, rows };
}

export const listFields = ({ rows }: Reading) => rows.map(({ fields }) => fields);

export async function makeZip(members: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(members)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.outputStream as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
