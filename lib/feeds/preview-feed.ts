import { FeedFault } from '../ports/feeds/feed-faults.ts';
import type { FeedFileHead, FeedRow } from '../ports/feeds/feed-files.ts';
import type { Context } from '../services/context.ts';
import { describePreview } from './preview-answer.ts';
import { inPreviewSlot, inReaderSlot } from './preview-slots.ts';
import { type FeedPreview, fetchPreviewFile, toApiError, toSettings } from './preview-source.ts';
import { FEED_LIMITS } from './schemas/feed-fields.ts';
import type { FeedFormat } from './schemas/feed-files.ts';

/** Reads a file, or the beginning of one, as a feed would, and stores nothing. Throws INVALID_PAYLOAD. */
export function previewFeed(ctx: Context, body: FeedPreview) {
  return inPreviewSlot(ctx, () => readPreview(ctx, body));
}

async function readPreview(ctx: Context, body: FeedPreview) {
  const { ports } = ctx;
  const feed = toSettings(body);
  const file = await ports.tempFiles.make();
  try {
    await fetchPreviewFile(ctx, body, feed, file.path);
    const { head, rows, complete } = await inReaderSlot(ctx, () => readStart(ctx, file.path, feed.format));
    return await describePreview(ctx, feed, head, rows, complete);
  } catch (error) {
    throw error instanceof FeedFault ? toApiError(error, body) : error;
  } finally {
    await file.remove();
  }
}

/** A caller waits. */
const READ_TIMEOUT_MS = 15_000;

/** The first rows of a file. */
async function readStart(
  { ports: { feedFiles } }: Context,
  path: string,
  format: FeedFormat | null,
): Promise<{ head: FeedFileHead; rows: FeedRow[]; complete: boolean }> {
  const { parts, close: _, ...head } = await feedFiles.open(path, format, READ_TIMEOUT_MS);
  const rows: FeedRow[] = [];
  for await (const { bytes } of parts()) {
    rows.push(...(await feedFiles.rows([bytes])).flat());
    if (rows.length > FEED_LIMITS.previewRows) break;
  }
  const complete = rows.length <= FEED_LIMITS.previewRows;
  return { head, rows: rows.slice(0, FEED_LIMITS.previewRows), complete };
}
