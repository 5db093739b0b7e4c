import { causeOf } from '../pipeline/attempt.ts';
import type { ImageFindings } from '../pipeline/enrich.ts';
import { type RecordResult, runPipeline } from '../pipeline/pipeline.ts';
import type { RawRecord } from '../pipeline/stage.ts';
import { accountOf, type Context } from './context.ts';
import { countMarketSoon } from './count-market.ts';
import { fetchDueImages } from './fetch-due-images.ts';

/** A batch that changes as many listings is counted in market data at once, not by the next cron. */
const LARGE = 100;

export interface Ingest {
  records: readonly RawRecord[];
  /** Provider of records that name none. */
  sourceProviderId?: unknown;
  dryRun: boolean;
  /** When the records were observed, ms since the epoch; null: now. */
  observedAt: number | null;
  /** What fetching the records' images beforehand found. */
  images?: ImageFindings | undefined;
}

/** Runs records through the pipeline for the calling account: one result per record, in order. */
export async function ingestListings(ctx: Context, input: Ingest): Promise<RecordResult[]> {
  const { ports } = ctx;
  const faults: string[] = [];
  const results = await runPipeline(input.records, {
    listings: ports.listings.of(accountOf(ctx).id),
    geocoder: ports.geocoder,
    vinDecoder: ports.vinDecoder,
    currentYear: new Date(ports.clock.now()).getUTCFullYear(),
    dualUseMakes: ports.settings.dualUseMakes,
    sourceProviderId: input.sourceProviderId,
    observedAt: input.observedAt,
    dryRun: input.dryRun,
    ...(input.images ? { images: input.images } : {}),
    onFault: (field, error) => void faults.push(`${field}: ${causeOf(error)}`),
  });
  const newImages = results.reduce(
    (sum, result) => sum + (result.kind === 'accepted' ? result.newImages : 0),
    0,
  );
  if (newImages > 0 && !input.dryRun) ctx.after(fetchDueImages);
  const summary = summaryOf(results);
  if (summary.created + summary.merged >= LARGE && !input.dryRun) ctx.after(countMarketSoon);
  if (faults.length > 0) ctx.note({ enrich_faults: faults.length, enrich_fault: faults[0] });
  ctx.note({ dry_run: input.dryRun || undefined, ...summary });
  return results;
}

export interface Summary {
  received: number;
  created: number;
  merged: number;
  unchanged: number;
  rejected: number;
}

export function summaryOf(results: readonly RecordResult[]): Summary {
  const summary = { received: results.length, created: 0, merged: 0, unchanged: 0, rejected: 0 };
  for (const result of results) summary[result.kind === 'rejected' ? 'rejected' : result.outcome] += 1;
  return summary;
}
