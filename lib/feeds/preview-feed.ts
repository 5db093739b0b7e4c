import { FeedFault } from '../ports/feeds/feed-faults.ts';
import type { FeedFileHead, FeedRow } from '../ports/feeds/feed-files.ts';
import type { Context } from '../services/context.ts';
import { describePreview } from './preview-answer.ts';
import { inPreviewSlot, inReaderSlot } from './preview-slots.ts';
import { type FeedPreview, fetchPreviewFile, toApiError, toSettings } from './preview-source.ts';
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
  let slices: FeedRow[][] | undefined;
  for await (const { bytes } of parts()) {
    if (slices) return { head, rows: slices[0] ?? [], complete: false };
    slices = await feedFiles.rows([bytes]);
    if (slices.length > 1) break;
  }
  const [rows = [], ...others] = slices ?? [];
  return { head, rows, complete: others.length === 0 };
}
