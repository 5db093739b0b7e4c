import { type Context, onlyDealer, requireAccount } from '../../http/context.ts';
import type { FeedSettings } from '../feed.ts';
import type { ReadFeedHead, ReadRow } from '../feed-file.ts';
import { fillRows } from '../mapping/fill-rows.ts';
import { shorten } from '../mapping/list-examples.ts';
import { ingestRows } from '../row-results.ts';
import { FEED_LIMITS } from '../schemas/feed-fields.ts';

/** What a preview answers: the columns as read, the records they make, and what would become of them. */

export async function describePreview(
  ctx: Context,
  feed: FeedSettings,
  file: { head: ReadFeedHead; rows: readonly ReadRow[]; complete: boolean },
) {
  const { plan, examples, ...head } = file.head;
  const trucks = await fillRows(ctx.ports, file.rows.slice(0, FEED_LIMITS.previewRows), plan);
  const ingested = await ingestRows(ctx.ports, requireAccount(ctx).id, trucks, {
    sourceProviderId: feed.source_provider_id,
    dryRun: true,
    observedAt: ctx.ports.clock.now(),
    dealer: onlyDealer(ctx),
  });
  const rejects = ingested.flatMap(({ reject }) =>
    reject === null ? [] : { outcome: 'rejected' as const, ...reject },
  );
  const others = ingested.flatMap((row) =>
    row.reject === null ? { line: row.line, outcome: row.outcome, vin: row.vin, warnings: row.warnings } : [],
  );
  const rejectsByCode: Record<string, number> = {};
  for (const { code } of rejects) rejectsByCode[code] = (rejectsByCode[code] ?? 0) + 1;
  return {
    ...head,
    columns: plan.columns.map(({ rank: _, ...column }, at) => ({ ...column, examples: examples[at] ?? [] })),
    records: trucks
      .flatMap(({ record }) => record ?? [])
      .slice(0, FEED_LIMITS.previewRecords)
      .map(shorten),
    verdict: {
      rows: trucks.length,
      complete: file.complete && trucks.length === file.rows.length,
      accepted: others.length,
      rejected: rejects.length,
      rejects_by_code: rejectsByCode,
      results: [...rejects, ...others].slice(0, FEED_LIMITS.previewResults),
    },
  };
}
