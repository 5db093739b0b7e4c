import { FEED_LIMITS } from '../../contract/feeds/feed-fields.ts';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FeedRow, OpenFeedFile } from '../../ports/feeds/feed-files.ts';
import type { Context } from '../context.ts';
import { describePreview } from './preview-answer.ts';
import { inPreviewSlot, inReaderSlot } from './preview-slots.ts';
import { type FeedPreview, fetchPreviewFile, toApiError, toSettings } from './preview-source.ts';

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
    const { opened, rows, complete } = await inReaderSlot(ctx, async () => {
      const opened = await ports.feedFiles.open(file.path, feed.format, null, READ_TIMEOUT_MS);
      return { opened, ...(await firstRows(opened)) };
    });
    return await describePreview(ctx, feed, opened, rows, complete);
  } catch (error) {
    throw error instanceof FeedFault ? toApiError(error, body) : error;
  } finally {
    await file.remove();
  }
}

/** For opening the file, and for its first rows: a caller waits. */
const READ_TIMEOUT_MS = 15_000;

async function firstRows(file: OpenFeedFile): Promise<{ rows: FeedRow[]; complete: boolean }> {
  let rows: FeedRow[] | undefined;
  for await (const chunk of file.chunks(FEED_LIMITS.previewRows)) {
    if (rows) return { rows, complete: false };
    ({ rows } = chunk);
  }
  return { rows: rows ?? [], complete: true };
}
