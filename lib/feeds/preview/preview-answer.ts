import { type Context, onlyDealer, requireAccount } from '../../http/context.ts';
import type { Warning } from '../../truck/listing/warn.ts';
import type { FeedSettings } from '../feed.ts';
import type { ReadFeedHead, ReadRow } from '../feed-file.ts';
import { fillRows } from '../mapping/fill-rows.ts';
import { shorten } from '../mapping/list-examples.ts';
import { countMissing } from '../queries/reconcile.ts';
import { countRows, ingestRows, listMembers } from '../row-results.ts';
import { FEED_LIMITS } from '../schemas/feed-fields.ts';

/** What a preview answers: the columns as read, the records they make, and what would become of them. */

export async function describePreview(
  ctx: Context,
  feed: FeedSettings,
  file: { head: ReadFeedHead; rows: readonly ReadRow[]; complete: boolean },
  feedId?: string,
) {
  const { ports } = ctx;
  const { plan, examples, ...head } = file.head;
  const trucks = await fillRows(ports, file.rows.slice(0, FEED_LIMITS.previewRows), plan);
  const { id: accountId } = requireAccount(ctx);
  const ingested = await ingestRows(ports, accountId, trucks, {
    sourceProviderId: feed.source_provider_id,
    feedId,
    dryRun: true,
    observedAt: ports.clock.now(),
    dealer: onlyDealer(ctx),
  });
  const { counts, rejects, codes } = countRows(ingested);
  const complete = file.complete && trucks.length === file.rows.length;
  return {
    ...head,
    columns: plan.columns.map(({ rank: _, ...column }, at) => ({ ...column, examples: examples[at] ?? [] })),
    records: trucks
      .flatMap(({ record }) => record ?? [])
      .slice(0, FEED_LIMITS.previewRecords)
      .map(shorten),
    verdict: {
      ...counts,
      complete,
      rejects_by_code: codes,
      rejects,
      warnings: listWarnings(ingested.filter((row) => row.reject === null)),
    },
    ...(feedId &&
      complete && { would_delist: await countMissing(ports.db, accountId, feedId, listMembers(ingested)) }),
  };
}

/** Each code of warnings once: what it says of the first row, and how often it comes. */
function listWarnings(rows: readonly { line: number; warnings: readonly Warning[] }[]) {
  const lines = rows.flatMap(({ line, warnings }) => warnings.map((warning) => ({ ...warning, line })));
  return [...Map.groupBy(lines, ({ code }) => code).values()].flatMap(([first, ...others]) =>
    first ? { ...first, count: 1 + others.length } : [],
  );
}
