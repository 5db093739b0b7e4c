import type { Ports } from '../../ports/ports.ts';
import { invalid } from '../../services/context.ts';
import type { FeedFileHead, FeedRow } from '../feed-file.ts';
import type { FeedPreview } from '../preview/preview-source.ts';
import { readSentFile } from '../preview/read-sent-file.ts';

/** Of an upload; feeds take more. */
const MOST = { rows: 20_000, timeoutMs: 30_000 };

/**
 * A file that a person sends, read whole before any of it is listed: a slow write must keep nobody's file waiting. Throws
 * INVALID_PAYLOAD for one that cannot be read, INVALID_PARAMS for one that is too large.
 */
export async function readUpload(
  ports: Ports,
  bytes: Uint8Array,
  given: FeedPreview,
): Promise<{ columns: FeedFileHead['columns']; rows: FeedRow[] }> {
  const fill = (path: string) => ports.tempFiles.fill(path, [bytes]);
  const { head, rows, isWhole } = await readSentFile(ports, given, MOST, fill);
  if (isWhole) return { columns: head.columns, rows };
  throw invalid(
    'file',
    `has more than ${MOST.rows.toLocaleString('en')} rows or 32 MB of text, and nothing of it was listed: split it, or set up a feed for it`,
  );
}
