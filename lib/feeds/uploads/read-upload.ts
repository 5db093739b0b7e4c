import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FeedFileHead, FeedRow, OpenFeedFile } from '../../ports/feeds/feed-files.ts';
import type { Ports } from '../../ports/ports.ts';
import { invalid } from '../../services/context.ts';
import { type FeedPreview, toApiError, toSettings } from '../preview-source.ts';

/** A file that a person sends, read whole before any of it is listed: a slow write must keep nobody's file waiting. */

/** Of a file; feeds take more. */
const MAX_ROWS = 20_000;

const READ_TIMEOUT_MS = 30_000;
/** What the rows may hold in memory: ordinary ones have less than 1,000 characters. */
const MAX_CHARS = 32 * 1024 * 1024;

export interface ReadFile {
  columns: FeedFileHead['columns'];
  rows: FeedRow[];
}

/** Throws INVALID_PAYLOAD for a file that cannot be read, INVALID_PARAMS for one that is too large for an upload. */
export async function readUpload(ports: Ports, bytes: Uint8Array, given: FeedPreview): Promise<ReadFile> {
  const { tempFiles, feedFiles } = ports;
  const { format } = toSettings(given);
  const file = await tempFiles.make();
  try {
    await tempFiles.fill(file.path, [bytes]);
    const { columns, parts } = await feedFiles.open(file.path, format, READ_TIMEOUT_MS);
    return { columns, rows: await readRows(ports, parts()) };
  } catch (error) {
    throw error instanceof FeedFault ? toApiError(error, given) : error;
  } finally {
    await file.remove();
  }
}

async function readRows({ feedFiles }: Ports, parts: ReturnType<OpenFeedFile['parts']>): Promise<FeedRow[]> {
  const all: FeedRow[] = [];
  let chars = 0;
  for await (const { bytes } of parts) {
    for (const rows of await feedFiles.rows([bytes])) {
      all.push(...rows);
      chars += JSON.stringify(rows).length;
    }
    if (all.length > MAX_ROWS) throw tooLarge(`has more than ${MAX_ROWS.toLocaleString('en')} rows`);
    if (chars > MAX_CHARS) throw tooLarge(`holds more than ${MAX_CHARS / 1_024 / 1_024} MB of text`);
  }
  return all;
}

const tooLarge = (what: string) =>
  invalid('file', `${what}, and nothing of it was listed: split it, or set up a feed for it`);
