import { ApiError, docUrl, ERRORS, STAGES, toEnvelope } from '../errors.ts';
import { type Context, notFound, requireAccount } from '../http/context.ts';
import { runWrite } from '../http/rehearse.ts';
import { photos } from '../images/fetch-photos.ts';
import { workOff } from '../jobs/work-off.ts';
import { mapInTurns } from '../pipeline/batch/in-turns.ts';
import type { RecordSource } from '../pipeline/batch/stored-listings.ts';
import type { ImageFindings } from '../pipeline/enrich.ts';
import type { RecordResult } from '../pipeline/results.ts';
import type { Reject } from '../pipeline/stage.ts';
import { vinAsSent } from '../pipeline/vin-as-sent.ts';
import { explainQuality } from '../truck/listing/quality.ts';
import { limitWarnings } from '../truck/listing/warn.ts';
import type { StatusResult } from './apply-statuses.ts';
import {
  type ChangedStatus,
  changeStatus,
  changeStatuses,
  readProviderOfBatch,
  toRecordStatus,
} from './change-status.ts';
import { type Ingest, ingestListings, type Summary, summarize } from './ingest-listings.ts';
import type { StatusChange } from './queries/status-change.ts';
import { readSale, readStatusOnly, toSegments } from './status-only.ts';

export interface PostOptions {
  dryRun: boolean;
  /** Undefined: all results of a batch, of a single record only the score of its quality. */
  view: 'full' | 'errors' | 'summary' | undefined;
  /** Default: the API. */
  source?: RecordSource;
}

const API: RecordSource = { id: 'api', runNo: null, keepsIssues: true };

/** One record through the pipeline; throws PIPELINE_FAILED with the stage's code when it is rejected. */
export async function postRecord(
  ctx: Context,
  record: unknown,
  { dryRun, view, source = API }: PostOptions,
  images?: ImageFindings,
) {
  const change = readStatusOnly(record, null);
  if (change instanceof ApiError) throw change;
  if (change !== null) return postStatus(ctx, change, dryRun);
  const [result] = await ingestAndFetch(ctx, { records: [record], source, dryRun, observedAt: null, images });
  if (!result) throw new Error('the pipeline answered nothing');
  if (result.kind === 'rejected') {
    ctx.note({ stage_code: result.reject.code });
    const code = result.reject.code === 'INVALID_PAYLOAD' ? 'INVALID_PAYLOAD' : 'PIPELINE_FAILED';
    throw new ApiError(code, result.reject.message, { details: rejectDetails(ctx, result.reject) });
  }
  const sale = saleAfter(record, result, null);
  if (result.kind === 'not_found') {
    if (sale === null) throw notFound('listing');
    return postStatus(ctx, sale, dryRun);
  }
  const [others] = sale === null ? [] : await postStatuses(ctx, [sale], dryRun);
  return {
    created: result.outcome === 'created',
    body: {
      ...accepted(others ? withOthers(result, others) : result),
      ...(view === 'full' ? { quality: explainQuality(result.quality) } : {}),
      stages: toStages(result),
      ...marked(dryRun),
    },
  };
}

/** Photos are fetched after the answer: of all functions that list trucks, only this one ships what renders them. */
async function ingestAndFetch(ctx: Context, input: Ingest): Promise<RecordResult[]> {
  const results = await ingestListings(ctx, input);
  const hasNewImages = results.some((result) => result.kind === 'accepted' && result.newImages > 0);
  const accountId = requireAccount(ctx).id;
  if (hasNewImages && !input.dryRun) ctx.after((ports) => workOff(ports, photos, { accountId }));
  return results;
}

async function postStatus(ctx: Context, change: StatusChange, dryRun: boolean) {
  return { created: false, body: await runWrite(ctx, dryRun, (own) => changeStatus(own, change)) };
}

async function postStatuses(ctx: Context, changes: readonly StatusChange[], dryRun: boolean) {
  const write = async (own: Context) => ({ changed: await changeStatuses(own, changes) });
  return (await runWrite(ctx, dryRun, write)).changed;
}

/** What a record of sold or delisted, which went through the pipeline, changes beyond the listing of its own hash. */
function saleAfter(record: unknown, result: RecordResult, providerOfBatch: string | null) {
  if (result.kind === 'rejected' || result.status === 'available') return null;
  const sale = readSale(record, providerOfBatch);
  // One provider's listing is done by the pipeline; where there is none, the change says who lists the VIN.
  return result.kind === 'not_found' || sale?.sourceProviderId === null ? sale : null;
}

/** Of a record that changed nothing but other listings of its VIN. */
const withOthers = (result: Accepted, { updated }: StatusResult): Accepted =>
  result.outcome === 'unchanged' && updated > 0 ? { ...result, outcome: 'merged' } : result;

type Posted =
  | RecordResult
  | { kind: 'status'; result: ChangedStatus }
  | { kind: 'refused'; vin: string | null; refusal: ApiError };

const toPosted = (result: ChangedStatus): Posted =>
  result.outcome === 'rejected' && result.refusal
    ? { kind: 'refused', vin: result.vin, refusal: result.refusal }
    : { kind: 'status', result };

/** Up to 500 records: a result per record, in input order. Not `final`: try it again as it is. */
export async function postBatch(
  ctx: Context,
  records: readonly unknown[],
  sourceProviderId: unknown,
  { dryRun, view = 'full', source = API }: PostOptions,
) {
  const results: Posted[] = [];
  const provider = readProviderOfBatch(sourceProviderId);
  for (const segment of toSegments(records, provider)) {
    const sent = segment.records.map((index) => records[index]);
    const input = { records: sent, sourceProviderId, source, dryRun, observedAt: null };
    const posted = sent.length === 0 ? [] : await ingestAndFetch(ctx, input);
    posted.forEach((result, position) => {
      const index = segment.records[position] ?? -1;
      results[index] = result;
      const sale = saleAfter(records[index], result, provider);
      if (sale !== null) segment.changes.set(index, sale);
    });
    for (const [index, refusal] of segment.refused)
      results[index] = { kind: 'refused', vin: vinAsSent(records[index]), refusal };
    if (segment.changes.size === 0) continue;
    const changes = [...segment.changes].sort(([left], [right]) => left - right);
    const changed = await postStatuses(
      ctx,
      changes.map(([, change]) => change),
      dryRun,
    );
    changed.forEach((result, position) => {
      const index = changes[position]?.[0] ?? -1;
      const own = results[index];
      results[index] = own?.kind === 'accepted' ? withOthers(own, result) : toPosted(result);
    });
  }
  const rejectsByCode: Record<string, number> = {};
  for (const result of results) {
    const code = rejectCode(result);
    if (code !== null) rejectsByCode[code] = (rejectsByCode[code] ?? 0) + 1;
  }
  const entries = await mapInTurns(results, (result, index) => ({ index, ...toResult(ctx, result) }));
  const answered = entries.filter(
    ({ outcome }) => view === 'full' || (view === 'errors' && !isSuccess(outcome)),
  );
  const body = {
    summary: summarizePosted(results),
    rejects_by_code: rejectsByCode,
    results: answered,
    ...marked(dryRun),
  };
  return { body, final: !results.some((result) => result.kind === 'rejected' && result.reject.retryable) };
}

function rejectCode(result: Posted): string | null {
  if (result.kind === 'refused') return result.refusal.code;
  return result.kind === 'rejected' ? result.reject.code : null;
}

const isSuccess = (outcome: string) => outcome !== 'rejected' && outcome !== 'not_found';

/** `updated` and `not_found` only where changes of status bring them. */
function summarizePosted(results: readonly Posted[]) {
  const changed = results.flatMap((result) => (result.kind === 'status' ? [result.result.outcome] : []));
  const summary: Summary & { updated?: number } = summarize(
    results.filter((result) => result.kind !== 'status' && result.kind !== 'refused'),
  );
  summary.received = results.length;
  summary.rejected += results.filter(({ kind }) => kind === 'refused').length;
  for (const outcome of changed) summary[outcome] = (summary[outcome] ?? 0) + 1;
  return summary;
}

function toResult(ctx: Context, result: Posted) {
  if (result.kind === 'accepted') return { ...accepted(result), warnings: limitWarnings(result.warnings) };
  if (result.kind === 'rejected') return rejected(ctx, result);
  if (result.kind === 'refused') return refused(ctx, result);
  if (result.kind === 'status') return toRecordStatus(ctx, result.result);
  const { kind: outcome, vin, status } = result;
  return toRecordStatus(ctx, { outcome, vin, status, previous_status: null, updated: 0 });
}

const marked = (dryRun: boolean) => (dryRun ? { dry_run: true } : {});

type Accepted = Extract<RecordResult, { kind: 'accepted' }>;
type Rejected = Extract<RecordResult, { kind: 'rejected' }>;

function accepted({ outcome, vin, dedupHash, status, quality, warnings }: Accepted) {
  const { score, missing } = quality;
  return { outcome, vin, dedup_hash: dedupHash, status, quality: { score, missing }, warnings };
}

function rejected(ctx: Context, { vin, reject }: Rejected) {
  const error = { code: reject.code, message: reject.message, details: rejectDetails(ctx, reject) };
  return { outcome: 'rejected', vin, error } as const;
}

/** A record that no stage has seen, in the shape of those that a stage rejected. */
function refused(ctx: Context, { vin, refusal }: Extract<Posted, { kind: 'refused' }>) {
  const { code, message, details } = toEnvelope(refusal, ctx.publicUrl).error;
  const { allowed: _, field = 'record', received = null, ...rest } = details;
  const issues = [{ code, field, received, fix: rest.fix }];
  const error = { code, message, details: { ...rest, stages: {}, field, received, issues } };
  return { outcome: 'rejected', vin, error } as const;
}

function toStages({ reached }: Accepted): Record<string, 'ok' | 'skipped'> {
  const last = STAGES.indexOf(reached);
  return Object.fromEntries(STAGES.map((stage, at) => [stage, at <= last ? 'ok' : 'skipped']));
}

/** `details` of a reject, the same on a single POST and in a batch. */
function rejectDetails(ctx: Context, reject: Reject) {
  const [first] = reject.violations;
  return {
    reason: reject.reason ?? reject.code.toLowerCase(),
    stages: reject.reason ? {} : { [reject.stage]: reject.code },
    field: first?.field ?? 'record',
    received: first?.received ?? null,
    fix: first?.fix ?? ERRORS[reject.code].fix,
    retryable: reject.retryable,
    doc_url: ctx.publicUrl + docUrl(reject.code),
    issues: reject.violations,
  };
}
