import { cut } from '../../domain/text/text.ts';
import { docUrl, ERRORS, type ErrorCode } from '../../errors.ts';
import { type Context, onlyDealer, requireAccount } from '../../services/context.ts';
import type { FeedSettings } from '../feed.ts';
import type { FeedFileHead, FeedRow } from '../feed-file.ts';
import { type FeedPlan, readPlan } from '../mapping/feed-mapping.ts';
import { readRows } from '../mapping/feed-records.ts';
import { flatten } from '../mapping/flatten-row.ts';
import { type IngestedRow, ingestRows } from '../row-results.ts';
import { FEED_LIMITS } from '../schemas/feed-fields.ts';

/** What a preview answers: the columns as read, the records they make, and what would become of them. */

export async function describePreview(
  ctx: Context,
  feed: FeedSettings,
  file: FeedFileHead,
  rows: readonly FeedRow[],
  complete: boolean,
) {
  const plan = readPlan(feed, file.columns, rows);
  const trucks = await readRows(ctx.ports, rows, plan);
  // As a run does: without what the VINs of test accounts provoke.
  const ingested = await ingestRows(ctx.ports, requireAccount(ctx).id, trucks, {
    sourceProviderId: feed.source_provider_id,
    dryRun: true,
    observedAt: ctx.ports.clock.now(),
    dealer: onlyDealer(ctx),
  });
  const results = ingested.map((row) => toRowResult(ctx, row));
  const rejects = results.filter((each) => each.outcome === 'rejected');
  const rejectsByCode: Record<string, number> = {};
  for (const { code } of rejects) rejectsByCode[code] = (rejectsByCode[code] ?? 0) + 1;
  const { format, compression, encoding, delimiter, entry } = file;
  return {
    format,
    compression,
    encoding,
    delimiter,
    entry,
    layout: plan.layout,
    columns: describeColumns(plan, rows),
    records: trucks
      .flatMap(({ record }) => (record === null ? [] : [record]))
      .slice(0, FEED_LIMITS.previewRecords)
      .map(shortenRecord),
    verdict: {
      rows: trucks.length,
      complete,
      accepted: results.length - rejects.length,
      rejected: rejects.length,
      rejects_by_code: rejectsByCode,
      results: [...rejects, ...results.filter((each) => each.outcome !== 'rejected')]
        .slice(0, FEED_LIMITS.previewResults)
        .sort((one, other) => one.line - other.line),
    },
  };
}

/** As runs answer it, and rejected ones beside that as batches do. */
function toRowResult({ publicUrl }: Context, { row: { line }, result }: IngestedRow) {
  if (result.kind === 'accepted')
    return { line, outcome: result.outcome, vin: result.vin, warnings: result.warnings };
  // It says that a truck is sold which is not listed.
  if (result.kind === 'not_found')
    return { line, outcome: 'unchanged' as const, vin: result.vin, warnings: [] };
  const { code, field, received, fix } = result.reject;
  const place = field === null ? {} : { field, received };
  const doc_url = publicUrl + (isErrorCode(code) ? docUrl(code) : '/docs/feeds.html');
  const details = { reason: code.toLowerCase(), fix, retryable: result.retryable, doc_url, ...place };
  return { outcome: 'rejected' as const, ...result.reject, error: { code, message: fix, details } };
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

const MAX_EXAMPLES = 3;

function describeColumns(plan: FeedPlan, rows: readonly FeedRow[]) {
  const examples = new Map<string, unknown[]>();
  for (const { fields } of rows.slice(0, 50))
    for (const [column, value] of flatten(fields ?? {})) {
      const some = examples.get(column) ?? [];
      examples.set(column, some);
      if (value !== null && value !== '' && some.length < MAX_EXAMPLES) some.push(shorten(value));
    }
  return plan.columns.map(({ column, field, kept, confidence }) => ({
    column,
    field,
    kept,
    confidence,
    examples: examples.get(column) ?? [],
  }));
}

const MAX_TEXT = 300;
const MAX_ITEMS = 20;

function shortenRecord(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, shorten(value)]));
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${cut(value, MAX_TEXT)}…` : value;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shorten);
  return typeof value === 'object' && value !== null ? shortenRecord({ ...value }) : value;
}
