import { explainQuality } from '../../domain/listing/quality.ts';
import { ApiError, docUrl, ERRORS, STAGES } from '../../errors.ts';
import type { ImageFindings } from '../../pipeline/enrich.ts';
import type { RecordResult } from '../../pipeline/pipeline.ts';
import type { Reject } from '../../pipeline/stage.ts';
import type { Context } from '../context.ts';
import { ingestListings, summaryOf } from './ingest-listings.ts';

export interface PostOptions {
  dryRun: boolean;
  view: 'full' | 'errors' | 'summary';
}

/** One record through the pipeline; throws PIPELINE_FAILED with the stage's code when it is rejected. */
export async function postRecord(
  ctx: Context,
  record: unknown,
  { dryRun }: PostOptions,
  images?: ImageFindings,
) {
  const [result] = await ingestListings(ctx, { records: [record], dryRun, observedAt: null, images });
  if (!result) throw new Error('the pipeline answered nothing');
  if (result.kind === 'rejected') {
    ctx.note({ stage_code: result.reject.code });
    throw new ApiError('PIPELINE_FAILED', result.reject.message, {
      details: rejectDetails(ctx, result.reject),
    });
  }
  const { index: _, ...body } = accepted(result, 0);
  return {
    created: result.outcome === 'created',
    body: { ...body, quality: explainQuality(result.quality), stages: stagesOf(result), ...marked(dryRun) },
  };
}

/** Up to 500 records through the pipeline: a result per record, in input order. Not `final`: try it again as it is. */
export async function postBatch(
  ctx: Context,
  records: readonly unknown[],
  sourceProviderId: unknown,
  { dryRun, view }: PostOptions,
) {
  const results = await ingestListings(ctx, { records, sourceProviderId, dryRun, observedAt: null });
  const rejectsByCode: Record<string, number> = {};
  for (const result of results)
    if (result.kind === 'rejected')
      rejectsByCode[result.reject.code] = (rejectsByCode[result.reject.code] ?? 0) + 1;
  const told = results.flatMap((result, index) => {
    if (view === 'summary' || (view === 'errors' && result.kind === 'accepted')) return [];
    return [result.kind === 'accepted' ? accepted(result, index) : refused(ctx, result, index)];
  });
  const body = {
    summary: summaryOf(results),
    rejects_by_code: rejectsByCode,
    results: told,
    ...marked(dryRun),
  };
  return { body, final: !results.some((result) => result.kind === 'rejected' && result.reject.retryable) };
}

const marked = (dryRun: boolean) => (dryRun ? { dry_run: true } : {});

type Accepted = Extract<RecordResult, { kind: 'accepted' }>;
type Rejected = Extract<RecordResult, { kind: 'rejected' }>;

function accepted({ outcome, vin, dedupHash, status, quality, warnings }: Accepted, index: number) {
  const { score, missing } = quality;
  return { index, outcome, vin, dedup_hash: dedupHash, status, quality: { score, missing }, warnings };
}

function refused(ctx: Context, { vin, reject }: Rejected, index: number) {
  const error = { code: reject.code, message: reject.message, details: rejectDetails(ctx, reject) };
  return { index, outcome: 'rejected', vin, error };
}

function stagesOf({ reached }: Accepted): Record<string, 'ok' | 'skipped'> {
  const last = STAGES.indexOf(reached);
  return Object.fromEntries(STAGES.map((stage, at) => [stage, at <= last ? 'ok' : 'skipped']));
}

/** `details` of a reject, the same on a single POST and in a batch. */
function rejectDetails(ctx: Context, reject: Reject) {
  const [first] = reject.issues;
  return {
    reason: reject.code.toLowerCase(),
    stages: { [reject.stage]: reject.code },
    field: first?.field ?? 'record',
    received: first?.received ?? null,
    fix: first?.fix ?? ERRORS[reject.code].fix,
    retryable: reject.retryable,
    doc_url: ctx.origin + docUrl(reject.code),
    issues: reject.issues,
  };
}
