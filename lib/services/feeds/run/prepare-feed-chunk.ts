import type { FeedPlan } from '../../../domain/feed/feed-mapping.ts';
import type { RawRecord } from '../../../pipeline/stage.ts';
import type { FeedChunk, FeedRow } from '../../../ports/feeds/feed-files.ts';
import type { FeedRunState } from '../../../ports/feeds/feeds.ts';
import { planOf } from './feed-plan.ts';
import { feedRecords } from './feed-records.ts';
import type { Session } from './feed-session.ts';

/** A row with the record it became; null when nothing of it could be read. */
export interface ReadRow {
  row: FeedRow;
  record: RawRecord;
}

/** A chunk whose rows have become records. */
export interface PreparedChunk {
  plan: FeedPlan;
  position: FeedChunk['position'];
  rows: ReadRow[];
  /** Those of the rows without a fault, in order. */
  records: RawRecord[];
}

/** Maps the rows of a file to records, chunk by chunk; the first chunk decides how unless an earlier worker did. */
export async function* prepareFeedChunks(
  { ports, run }: Session,
  state: FeedRunState,
  columns: readonly string[] | null,
  chunks: AsyncIterable<FeedChunk>,
): AsyncGenerator<PreparedChunk> {
  let { plan } = state;
  for await (const { rows, position } of chunks) {
    plan ??= planOf(run.feed, columns, rows);
    const mapped = await feedRecords(ports, rows, plan);
    const read = rows.map((row, index): ReadRow => ({ row, record: mapped[index] ?? null }));
    const records = read.filter(({ row }) => row.fault === null).map(({ record }) => record);
    yield { plan, position, rows: read, records };
  }
}
