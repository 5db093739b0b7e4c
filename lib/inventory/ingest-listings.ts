import { type Context, onlyDealer, requireAccount } from '../http/context.ts';
import type { Ports } from '../outside/ports.ts';
import { describeCause } from '../pipeline/attempt.ts';
import type { RecordSource } from '../pipeline/batch/stored-listings.ts';
import type { ImageFindings } from '../pipeline/enrich.ts';
import { type PipelineNeeds, runPipeline } from '../pipeline/pipeline.ts';
import type { RecordResult } from '../pipeline/results.ts';
import type { RawRecord } from '../pipeline/stage.ts';
import { storedListings } from './queries/stored-listings.ts';
import { provokeRejects } from './test-faults.ts';

export interface Ingest {
  records: readonly RawRecord[];
  /** Provider of records that name none. */
  sourceProviderId?: unknown;
  dryRun: boolean;
  /** When the records were observed, ms since the epoch; null: now. */
  observedAt: number | null;
  /** The only dealer that they may be of; absent: any. */
  dealer?: string | null;
  /** The feed that they come from; absent: the API. */
  feedId?: string;
  /** Whose issues they open and close; absent: issues are left alone. */
  source?: RecordSource;
  /** What fetching the records' images beforehand found. */
  images?: ImageFindings | undefined;
  /** Hears why a stage failed: causes are for the log, not for the caller. */
  onFault?: NonNullable<PipelineNeeds['onFault']>;
}

export type IngestPorts = Pick<
  Ports,
  'db' | 'isOptimistic' | 'geocoder' | 'vinDecoder' | 'clock' | 'settings'
>;

/** Runs records through the pipeline for an account: one result per record, in order. */
export function ingestFor(ports: IngestPorts, accountId: string, input: Ingest): Promise<RecordResult[]> {
  return runPipeline(input.records, pipelineNeeds(ports, accountId, input));
}

function pipelineNeeds(
  ports: IngestPorts,
  accountId: string,
  { sourceProviderId, observedAt, dealer = null, feedId, source, dryRun, images, onFault }: Ingest,
): PipelineNeeds {
  return {
    listings: storedListings(ports.db, accountId, ports.isOptimistic ? 'throw' : undefined),
    geocoder: ports.geocoder,
    vinDecoder: ports.vinDecoder,
    currentYear: new Date(ports.clock.now()).getUTCFullYear(),
    dualUseMakes: ports.settings.dualUseMakes,
    sourceProviderId,
    observedAt,
    dealer,
    feedId,
    ...(source ? { source } : {}),
    dryRun,
    ...(onFault ? { onFault } : {}),
    ...(images ? { images } : {}),
  };
}

/** The same for the calling account. */
export async function ingestListings(ctx: Context, input: Ingest): Promise<RecordResult[]> {
  const faults: string[] = [];
  const provoked = provokeRejects(ctx, input.records);
  const left = input.records.filter((_, index) => !provoked.has(index));
  const ingested = await ingestFor(ctx.ports, requireAccount(ctx).id, {
    ...input,
    records: left,
    dealer: onlyDealer(ctx),
    onFault: (field, error) => void faults.push(`${field}: ${describeCause(error)}`),
  });
  const rest = ingested.values();
  const results = input.records.map((_, index) => provoked.get(index) ?? (rest.next().value as RecordResult));
  const summary = summarize(results);
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
  /** Absent when there are none. */
  not_found?: number;
}

export function summarize(results: readonly RecordResult[]): Summary {
  const summary: Summary = { received: results.length, created: 0, merged: 0, unchanged: 0, rejected: 0 };
  for (const result of results) {
    if (result.kind === 'accepted') summary[result.outcome] += 1;
    else if (result.kind === 'rejected') summary.rejected += 1;
    else summary.not_found = (summary.not_found ?? 0) + 1;
  }
  return summary;
}
