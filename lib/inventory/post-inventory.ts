import { ApiError, docUrl, ERRORS, STAGES, toEnvelope } from '../errors.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../http/context.ts';
import { runWrite } from '../http/dry-run.ts';
import { photos } from '../images/fetch-photos.ts';
import { drain } from '../jobs/drain.ts';
import { describeCause } from '../pipeline/attempt.ts';
import { mapYielding } from '../pipeline/batch/map-yielding.ts';
import type { RecordSource } from '../pipeline/batch/stored-listings.ts';
import { vinAsSent } from '../pipeline/results.ts';
import {
  type RawRecord,
  type RecordResult,
  type Reject,
  type Rejected,
  takeInOrder,
  toFieldReject,
  toRejected,
} from '../pipeline/stage.ts';
import { explainQuality } from '../truck/listing/quality.ts';
import { limitWarnings } from '../truck/listing/warn.ts';
import { normaliseVin } from '../truck/vin/vin.ts';
import { type Batch, checkBatchMembers } from './batch-members.ts';
import {
  type ChangedStatus,
  changeStatuses,
  readOrRefuse,
  toStatusAnswer,
  toStatusResult,
} from './change-status.ts';
import { type Ingest, ingestFor } from './ingest-listings.ts';
import { type PostedChange, readPostedChange, readProviderOfBatch } from './read-status.ts';
import { provokeFault } from './test-faults.ts';

interface PostOptions {
  dryRun: boolean;
  /** Undefined: all results of a batch, of a single record only the score of its quality. */
  view: 'full' | 'errors' | 'summary' | undefined;
}

const API: RecordSource = { id: 'api', runNo: null, keepsIssues: true };

type Accepted = Extract<RecordResult, { kind: 'accepted' }>;
/** What became of a record; `changed`: it changed a status, or would have, and no more. */
type Posted = Accepted | Rejected | ({ kind: 'changed' } & ChangedStatus);

/** One record; throws PIPELINE_FAILED with the stage's code when it is rejected. */
export async function postRecord(ctx: Context, record: unknown, { dryRun, view }: PostOptions) {
  const [result] = await post(ctx, { records: [record] }, dryRun);
  if (!result) throw new Error('the pipeline returned no result');
  const mark = dryRun ? { dry_run: true } : {};
  if (result.kind === 'changed') {
    const { kind, ...change } = result;
    return { created: false, body: { ...toStatusAnswer(change), ...mark } };
  }
  if (result.kind === 'rejected') {
    const { reject } = result;
    ctx.note({ stage_code: reject.code });
    const code = reject.code === 'INVALID_PAYLOAD' ? 'INVALID_PAYLOAD' : 'PIPELINE_FAILED';
    throw new ApiError(code, reject.message, { details: rejectDetails(ctx, reject) });
  }
  const last = STAGES.indexOf(result.reached);
  return {
    created: result.outcome === 'created',
    body: {
      ...toAccepted(result),
      ...(view === 'full' ? { quality: explainQuality(result.quality) } : {}),
      stages: Object.fromEntries(STAGES.map((stage, at) => [stage, at <= last ? 'ok' : 'skipped'])),
      ...mark,
    },
  };
}

/** Up to 500 records: a result per record, in input order. Not `final`: try it again as it is. */
export async function postBatch(ctx: Context, body: Batch, { dryRun, view = 'full' }: PostOptions) {
  const warnings = checkBatchMembers(body, 'VALIDATION_ERROR');
  const results = await post(ctx, body, dryRun);
  const entries = await mapYielding(results, (result, index) => ({ index, ...toResult(ctx, result) }));
  const rejectsByCode: Record<string, number> = {};
  for (const entry of entries)
    if (entry.outcome === 'rejected' && 'error' in entry)
      rejectsByCode[entry.error.code] = (rejectsByCode[entry.error.code] ?? 0) + 1;
  const answer = {
    summary: summarize(results),
    rejects_by_code: rejectsByCode,
    results: entries.filter(({ outcome }) => view === 'full' || (view === 'errors' && FAILURES.has(outcome))),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(dryRun ? { dry_run: true } : {}),
  };
  return {
    body: answer,
    final: !results.some((result) => result.kind === 'rejected' && result.reject.retryable),
  };
}

const FAILURES = new Set(['rejected', 'not_found']);

/** What becomes of each record, in order: trucks go through the pipeline, then statuses that they or others say are set. */
async function post(
  ctx: Context,
  { records, source_provider_id: sourceProviderId }: Batch,
  dryRun: boolean,
): Promise<Posted[]> {
  const provider = readProviderOfBatch(sourceProviderId);
  const changes = records.map((record) => readOrRefuse(record, () => readPostedChange(record, provider)));
  const results: Posted[] = [];
  for (const places of toSegments(records, changes)) {
    const trucks = places.filter((place) => isTruck(changes[place] ?? null));
    const truckRecords = trucks.map((place) => records[place]);
    const ingested = await ingest(ctx, { sourceProviderId, dryRun, records: truckRecords });
    for (const [at, result] of ingested.entries()) results[trucks[at] ?? 0] = result;
    const following = places.flatMap((place) => {
      const [change, own] = [changes[place] ?? null, results[place]];
      if (change === null || own?.kind === 'rejected') return [];
      // One provider's listing is done by the pipeline; where there is none, the change says who lists the VIN.
      const isDone = own?.kind === 'accepted' && 'isWhole' in change && change.sourceProviderId !== null;
      return isDone ? [] : [{ place, change, own }];
    });
    if (following.length === 0) continue;
    const write = async (to: Context) => ({
      changedStatuses: await changeStatuses(
        to,
        following.map(({ change }) => change),
      ),
    });
    const { changedStatuses } = await runWrite(ctx, dryRun, write);
    for (const [at, { place, own }] of following.entries()) {
      const changedStatus = changedStatuses[at] as ChangedStatus;
      results[place] =
        own?.kind === 'accepted' ? withOthers(own, changedStatus) : { kind: 'changed', ...changedStatus };
    }
  }
  ctx.note({ dry_run: dryRun || undefined, ...summarize(results) });
  return results;
}

/** Of a record that changed nothing but other listings of its VIN. */
const withOthers = (result: Accepted, { updated }: ChangedStatus): Accepted =>
  result.outcome === 'unchanged' && updated > 0 ? { ...result, outcome: 'merged' } : result;

type Read = PostedChange | ChangedStatus | null;

const isTruck = (change: Read) => change === null || ('isWhole' in change && change.isWhole);

/** Splits a batch where a truck follows a change of its own status: everything else may be done together. */
function toSegments(records: readonly RawRecord[], changes: readonly Read[]): number[][] {
  const segments: number[][] = [[]];
  const vins = new Set<string>();
  for (const [place, change] of changes.entries()) {
    const vin = change?.vin ?? normaliseVin(vinAsSent(records[place]) ?? '');
    if (isTruck(change) && vins.has(vin)) {
      segments.push([]);
      vins.clear();
    }
    segments.at(-1)?.push(place);
    if (change !== null) vins.add(vin);
  }
  return segments;
}

/** Photos are fetched after the answer: of all functions that list trucks, only this one ships what renders them. */
async function ingest(
  ctx: Context,
  input: Pick<Ingest, 'records' | 'sourceProviderId' | 'dryRun'>,
): Promise<Posted[]> {
  const provoked = input.records.map((record) => {
    const vin = normaliseVin(vinAsSent(record) ?? '');
    const code = provokeFault(ctx, vin);
    return code && toRejected(vin, toFieldReject(code, 'vin', vin));
  });
  const { id: accountId } = requireAccount(ctx);
  const faults: string[] = [];
  const ingested = await ingestFor(ctx.ports, accountId, {
    ...input,
    records: input.records.filter((_, index) => provoked[index] === null),
    source: API,
    observedAt: null,
    dealer: onlyDealer(ctx),
    onFault: (field, error) => void faults.push(`${field}: ${describeCause(error)}`),
  });
  if (faults.length > 0) ctx.note({ enrich_faults: faults.length, enrich_fault: faults[0] });
  const hasNewImages = ingested.some((result) => result.kind === 'accepted' && result.hasNewImages);
  if (hasNewImages && !input.dryRun) ctx.after((ports) => drain(ports, photos, { accountId }));
  const next = takeInOrder(ingested.map(toPosted));
  return provoked.map((reject) => reject ?? next());
}

function toPosted(result: RecordResult): Posted {
  if (result.kind !== 'not_found') return result;
  const { kind: outcome, vin, status } = result;
  const refusal = notFound('listing');
  return { kind: 'changed', outcome, vin, status, previous_status: null, updated: 0, refusal };
}

/** `updated` and `not_found` only where changes of status bring them. */
function summarize(results: readonly Posted[]) {
  const counts: Record<string, number> = { created: 0, merged: 0, unchanged: 0, rejected: 0 };
  for (const result of results) {
    const outcome = result.kind === 'rejected' ? result.kind : result.outcome;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return { received: results.length, ...counts };
}

function toResult(ctx: Context, result: Posted) {
  if (result.kind === 'accepted') return { ...toAccepted(result), warnings: limitWarnings(result.warnings) };
  if (result.kind === 'rejected') {
    const { code, message } = result.reject;
    const error = { code, message, details: rejectDetails(ctx, result.reject) };
    return { outcome: 'rejected' as const, vin: result.vin, error };
  }
  const { kind, ...change } = result;
  return change.outcome === 'rejected' ? toRejectedChange(ctx, change) : toStatusResult(ctx, change);
}

function toAccepted(result: Accepted) {
  const { outcome, vin, dedupHash, status, quality, warnings } = result;
  const { score, missing } = quality;
  return { outcome, vin, dedup_hash: dedupHash, status, quality: { score, missing }, warnings };
}

/** A change that was not made, in the shape of the records that a stage rejected. */
function toRejectedChange(ctx: Context, { vin, refusal = notFound('listing') }: ChangedStatus) {
  const { code, message, details } = toEnvelope(refusal, ctx.publicUrl).error;
  const { allowed: _, field = 'record', received = null, ...rest } = details;
  const issues = [{ code, field, received, fix: rest.fix }];
  const error = { code, message, details: { ...rest, stages: {}, field, received, issues } };
  return { outcome: 'rejected' as const, vin, error };
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
