import type { Context } from '../../services/context.ts';
import { FEED_LIMITS } from '../schemas/feed-fields.ts';
import { describePreview } from './preview-answer.ts';
import { inPreviewSlot, inReaderSlot } from './preview-slots.ts';
import { type FeedPreview, fetchPreviewFile, toSettings } from './preview-source.ts';
import { readSentFile } from './read-sent-file.ts';

const MOST = { rows: FEED_LIMITS.previewRows, timeoutMs: 15_000 };

/** Reads a file, or the beginning of one, as a feed would, and stores nothing. Throws INVALID_PAYLOAD. */
export function previewFeed(ctx: Context, body: FeedPreview) {
  const feed = toSettings(body);
  return inPreviewSlot(ctx, async () => {
    const { head, rows, isWhole } = await readSentFile(
      ctx.ports,
      body,
      MOST,
      (path) => fetchPreviewFile(ctx, body, feed, path),
      (read) => inReaderSlot(ctx, read),
    );
    return describePreview(ctx, feed, head, rows, isWhole);
  });
}
