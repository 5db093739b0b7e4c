import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { FEED_DEFAULTS } from '../../../lib/feeds/feed.ts';
import { FeedFault } from '../../../lib/feeds/feed-faults.ts';
import type { FeedRow } from '../../../lib/feeds/feed-file.ts';
import { feedFiles } from '../../../lib/feeds/files/feed-files.ts';
import { readFeedFile } from '../../../lib/feeds/files/read-file.ts';
import type { FeedFormat } from '../../../lib/feeds/schemas/feed-files.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';

export async function newFolder() {
  const folder = await suiteFolder();
  let serial = 0;
  const write = async (content: string | Uint8Array) => {
    const path = join(folder, `file-${++serial}`);
    await writeFile(path, content);
    return path;
  };
  /** Reads a file of this content from beginning to end. */
  async function read(content: string | Uint8Array, format: FeedFormat | null = null) {
    const file = await readFeedFile(await write(content), format);
    const rows: FeedRow[] = [];
    for await (const some of file.rows) for (const row of some) rows.push(row);
    return { file, rows };
  }
  return {
    path: (name: string) => join(folder, name),
    write,
    read,
    /** The reason and message it fails with, or `read` when it does not. */
    catchFault: (...file: Parameters<typeof read>) =>
      orFault(
        read(...file).then(() => 'read'),
        ({ reason, message }) => `${reason}: ${message}`,
      ),
    /** How many rows a thread of its own reads, or the reason it fails for. */
    async readInWorker(content: string | Uint8Array, timeoutMs = 60_000) {
      const path = await write(content);
      const count = async () => {
        const file = await feedFiles().open(path, FEED_DEFAULTS, timeoutMs);
        let count = 0;
        for await (const { rows } of file.parts()) count += rows;
        return `${count} rows`;
      };
      return orFault(count(), ({ reason }) => reason);
    },
  };
}

const orFault = (outcome: Promise<string>, describe: (fault: FeedFault) => string) =>
  outcome.catch((error: unknown) => {
    if (error instanceof FeedFault) return describe(error);
    throw error;
  });

export type Reading = Awaited<ReturnType<Awaited<ReturnType<typeof newFolder>>['read']>>;

export const listFields = ({ rows }: Reading) => rows.map(({ fields }) => fields);

export async function makeZip(members: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(members)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}
