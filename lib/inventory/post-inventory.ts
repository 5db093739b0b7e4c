import { ApiError, docUrl, ERRORS, STAGES, toEnvelope } from '../errors.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../http/context.ts';
import { runWrite } from '../http/rehearse.ts';
import { photos } from '../images/fetch-photos.ts';
import { workOff } from '../jobs/work-off.ts';
import { describeCause } from '../pipeline/attempt.ts';
import { mapInTurns } from '../pipeline/batch/in-turns.ts';
import type { RecordSource } from '../pipeline/batch/stored-listings.ts';
import type { ImageFindings } from '../pipeline/enrich.ts';
import { failed, type RawRecord, type RecordResult, type Reject, rejected } from '../pipeline/stage.ts';
import { vinAsSent } from '../pipeline/vin-as-sent.ts';
import { explainQuality } from '../truck/listing/quality.ts';
import { limitWarnings } from '../truck/listing/warn.ts';
import { normaliseVin } from '../truck/vin/vin.ts';
import { type Batch, checkBatchMembers } from './batch-members.ts';
import {
  type ChangedStatus,
  changeStatus,
  changeStatuses,
  refusedChange,
  toStatusResult,
} from './change-status.ts';
import { type Ingest, ingestFor } from './ingest-listings.ts';
import type { StatusChange } from './queries/status-change.ts';
import { type PostedChange, readOrRefuse, readPostedChange, readProviderOfBatch } from './read-status.ts';
import { provokeFault } from './test-faults.ts';

interface PostOptions {
  dryRun: boolean;
  /** Undefined: all results of a batch, of a single record only the score of its quality. */
  view: 'full' | 'errors' | 'summary' | undefined;
}

const API: RecordSource = { id: 'api', runNo: null, keepsIssues: true };

/** One record through the pipeline; throws PIPELINE_FAILED with the stage's code when it is rejected. */
export async function postRecord(
  ctx: Context,
  record: unknown,
  { dryRun, view }: PostOptions,
  images?: ImageFindings,
) {
  const change = readPostedChange(record, null);
  const postChange = async (status: StatusChange) => ({
    created: false,
    body: await runWrite(ctx, dryRun, (own) => changeStatus(own, status)),
  });
  if (change?.isWhole === false) return postChange(change);
  const [result] = await ingest(ctx, { records: [record], dryRun, ...(images ? { images } : {}) });
  if (!result) throw new Error('the pipeline returned no result');
  if (result.kind === 'not_found') {
    if (change === null) throw notFound('listing');
    return postChange(change);
  }
  if (result.kind === 'rejected') {
    const { reject } = result;
    ctx.note({ stage_code: reject.code });
    const code = reject.code === 'INVALID_PAYLOAD' ? 'INVALID_PAYLOAD' : 'PIPELINE_FAILED';
    throw new ApiError(code, reject.message, { details: rejectDetails(ctx, reject) });
  }
  const [others] = await postChanges(ctx, dryRun, change?.sourceProviderId === null ? [change] : []);
  const last = STAGES.indexOf(result.reached);
  return {
    created: result.outcome === 'created',
    body: {
      ...toAccepted(withOthers(result, others)),
      ...(view === 'full' ? { quality: explainQuality(result.quality) } : {}),
      stages: Object.fromEntries(STAGES.map((stage, at) => [stage, at <= last ? 'ok' : 'skipped'])),
      ...(dryRun ? { dry_run: true } : {}),
    },
  };
}

/** Photos are fetched after the answer: of all functions that list trucks, only this one ships what renders them. */
async function ingest(
  ctx: Context,
  input: Pick<Ingest, 'records' | 'sourceProviderId' | 'dryRun' | 'images'>,
): Promise<RecordResult[]> {
  const provoked = input.records.map((record) => {
    const vin = normaliseVin(vinAsSent(record) ?? '');
    const code = provokeFault(ctx, vin);
    return code && rejected(vin, failed(code, 'vin', vin));
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
  const hasNewImages = ingested.some((result) => result.kind === 'accepted' && result.newImages > 0);
  if (hasNewImages && !input.dryRun) ctx.after((ports) => workOff(ports, photos, { accountId }));
  const rest = ingested.values();
  const results = provoked.map((result) => result ?? (rest.next().value as RecordResult));
  ctx.note({ dry_run: input.dryRun || undefined, ...summarize(results) });
  return results;
}

type Accepted = Extract<RecordResult, { kind: 'accepted' }>;

/** Of a record that changed nothing but other listings of its VIN. */
const withOthers = (result: Accepted, others: ChangedStatus | undefined): Accepted =>
  result.outcome === 'unchanged' && others && others.updated > 0 ? { ...result, outcome: 'merged' } : result;

type Posted = RecordResult | ({ kind: 'changed' } & ChangedStatus);

const toOutcome = (result: Posted) => ('outcome' in result ? result.outcome : result.kind);

/** `updated` and `not_found` only where changes of status bring them. */
function summarize(results: readonly Posted[]) {
  const counts: Record<string, number> = { created: 0, merged: 0, unchanged: 0, rejected: 0 };
  for (const outcome of results.map(toOutcome)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return { received: results.length, ...counts };
}

/** Up to 500 records: a result per record, in input order. Not `final`: try it again as it is. */
export async function postBatch(ctx: Context, body: Batch, { dryRun, view = 'full' }: PostOptions) {
  const { records, source_provider_id: sourceProviderId } = body;
  const warnings = checkBatchMembers(body, 'VALIDATION_ERROR');
  const provider = readProviderOfBatch(sourceProviderId);
  const changes = records.map((record) => readOrRefuse(() => readPostedChange(record, provider)));
  const results: Posted[] = [];
  for (const segment of toSegments(records, changes)) {
    const sent = segment.trucks.map((index) => records[index]);
    const ingested = sent.length === 0 ? [] : await ingest(ctx, { records: sent, sourceProviderId, dryRun });
    segment.trucks.forEach((index, at) => {
      const result = ingested[at] as RecordResult;
      results[index] = result;
      const change = changes[index] as PostedChange | null;
      // One provider's listing is done by the pipeline; where there is none, the change says who lists the VIN.
      if (
        change &&
        result.kind !== 'rejected' &&
        (result.kind === 'not_found' || change.sourceProviderId === null)
      )
        segment.changes.set(index, change);
    });
    const following = [...segment.changes].sort(([one], [other]) => one - other);
    const changed = await postChanges(
      ctx,
      dryRun,
      following.map(([, change]) => change),
    );
    following.forEach(([index], at) => {
      const own = results[index];
      const done = changed[at] as ChangedStatus;
      results[index] = own?.kind === 'accepted' ? withOthers(own, done) : { kind: 'changed', ...done };
    });
  }
  changes.forEach((change, index) => {
    if (change instanceof ApiError)
      results[index] = { kind: 'changed', ...refusedChange(records[index], change) };
  });
  const entries = await mapInTurns(results, (result, index) => ({ index, ...toResult(ctx, result) }));
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

/** Records that go through the pipeline together, and the changes of status that follow them, by place in the batch. */
interface Segment {
  trucks: number[];
  changes: Map<number, StatusChange>;
}

/** Splits a batch where a truck follows a change of its own status: everything else may be done together. */
function toSegments(records: readonly RawRecord[], changes: readonly (PostedChange | ApiError | null)[]) {
  const segments: Segment[] = [];
  let vins = new Set<string>();
  changes.forEach((change, index) => {
    if (change instanceof ApiError) return;
    const vin = change?.vin ?? normaliseVin(vinAsSent(records[index]) ?? '');
    const isTruck = change === null || change.isWhole;
    if (segments.length === 0 || (isTruck && vins.has(vin))) {
      segments.push({ trucks: [], changes: new Map() });
      vins = new Set();
    }
    if (isTruck) segments.at(-1)?.trucks.push(index);
    else segments.at(-1)?.changes.set(index, change);
    if (change !== null) vins.add(vin);
  });
  return segments;
}

async function postChanges(ctx: Context, dryRun: boolean, changes: readonly StatusChange[]) {
  if (changes.length === 0) return [];
  const write = async (own: Context) => ({ changed: await changeStatuses(own, changes) });
  return (await runWrite(ctx, dryRun, write)).changed;
}

function toResult(ctx: Context, result: Posted) {
  if (result.kind === 'accepted') return { ...toAccepted(result), warnings: limitWarnings(result.warnings) };
  if (result.kind === 'rejected') {
    const { code, message } = result.reject;
    const error = { code, message, details: rejectDetails(ctx, result.reject) };
    return { outcome: 'rejected' as const, vin: result.vin, error };
  }
  if (result.kind === 'changed') {
    const { kind, ...changed } = result;
    return changed.outcome === 'rejected' ? toRejected(ctx, changed) : toStatusResult(ctx, changed);
  }
  const { kind: outcome, vin, status } = result;
  const refusal = notFound('listing');
  return toStatusResult(ctx, { outcome, vin, status, previous_status: null, updated: 0, refusal });
}

function toAccepted(result: Accepted) {
  const { outcome, vin, dedupHash, status, quality, warnings } = result;
  const { score, missing } = quality;
  return { outcome, vin, dedup_hash: dedupHash, status, quality: { score, missing }, warnings };
}

/** A change that was not made, in the shape of the records that a stage rejected. */
function toRejected(ctx: Context, { vin, refusal = notFound('listing') }: ChangedStatus) {
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
