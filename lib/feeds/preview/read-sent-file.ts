import type { Ports } from '../../ports/ports.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedFileHead, FeedRow } from '../feed-file.ts';
import { type FeedPreview, toApiError, toSettings } from './preview-source.ts';

/** What the rows may hold in memory: ordinary ones have less than 1,000 characters. */
const MAX_CHARS = 32 * 1024 * 1024;

interface SentFile {
  head: FeedFileHead;
  rows: FeedRow[];
  /** The file has no more rows than these. */
  isWhole: boolean;
}

/**
 * Reads a file that a person waits for, or its beginning. `fill` puts it at a path; `inTurn` waits until it may be read. Throws
 * INVALID_PAYLOAD for one that cannot be read.
 */
export async function readSentFile(
  { tempFiles, feedFiles }: Pick<Ports, 'tempFiles' | 'feedFiles'>,
  body: FeedPreview,
  most: { rows: number; timeoutMs: number },
  fill: (path: string) => Promise<void>,
  inTurn: (read: () => Promise<SentFile>) => Promise<SentFile> = (read) => read(),
): Promise<SentFile> {
  const { format } = toSettings(body);
  const file = await tempFiles.make();
  try {
    await fill(file.path);
    return await inTurn(async () => {
      const { parts, close: _, ...head } = await feedFiles.open(file.path, format, most.timeoutMs);
      const rows: FeedRow[] = [];
      let chars = 0;
      for await (const { bytes } of parts()) {
        const some = (await feedFiles.rows([bytes])).flat();
        rows.push(...some);
        chars += JSON.stringify(some).length;
        if (rows.length > most.rows || chars > MAX_CHARS) break;
      }
      const isWhole = rows.length <= most.rows && chars <= MAX_CHARS;
      return { head, rows: rows.slice(0, most.rows), isWhole };
    });
  } catch (error) {
    throw error instanceof FeedFault ? toApiError(error, body) : error;
  } finally {
    await file.remove();
  }
}
