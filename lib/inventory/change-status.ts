import { ApiError, toEnvelope, unknownField } from '../errors.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../http/context.ts';
import { vinAsSent } from '../pipeline/vin-as-sent.ts';
import { type ListingStatus, PATCH_STATUSES } from '../truck/fields.ts';
import { readProvider } from '../truck/listing/read-record.ts';
import { findNearMiss } from '../truck/names/near-miss.ts';
import { PARTS } from '../truck/record/parts.ts';
import { nameProvider } from '../truck/text/quote.ts';
import { received } from '../truck/text/text.ts';
import { hasVinLength, normaliseVin } from '../truck/vin/vin.ts';
import { applyStatuses, type StatusResult } from './apply-statuses.ts';
import { readProviders, type StatusChange, setStatuses } from './queries/status-change.ts';
import { StatusInput } from './status-changes.ts';
import { provokeRequestFault } from './test-faults.ts';

const STATUS_MEMBERS = Object.keys(StatusInput.shape);

/** A change of status as sent; throws INVALID_PAYLOAD or INVALID_STATUS. */
function readChange(record: unknown, providerOfBatch: string | null): StatusChange {
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw invalidPayload(null, record, 'Each record must be a JSON object with vin and status.');
  const { vin, status, source_provider_id: provider } = record as Record<string, unknown>;
  if (vin === undefined) refuseOtherNames(record);
  if (typeof vin !== 'string' || vin.trim() === '')
    throw invalidPayload('vin', vin, 'Send the VIN as text in vin.');
  const known = PATCH_STATUSES.find((allowed) => allowed === status);
  const slip = status === undefined ? findNearMiss(record, ['status']) : null;
  if (slip !== null) throw unknownField('INVALID_STATUS', slip);
  if (known === undefined)
    throw new ApiError('INVALID_STATUS', '`status` must be "sold" or "delisted".', {
      details: {
        field: 'status',
        reason: status === undefined ? 'missing' : 'not_allowed',
        received: received(status),
        allowed: PATCH_STATUSES,
      },
    });
  if (provider != null && typeof provider !== 'string' && typeof provider !== 'number')
    throw invalidPayload('source_provider_id', provider, 'Send source_provider_id as text.');
  const miss = findNearMiss(record, STATUS_MEMBERS);
  if (miss !== null) throw unknownField('INVALID_PAYLOAD', miss);
  const own = readProvider(provider, []);
  const sourceProviderId = providerMeant(own, provider !== undefined, providerOfBatch);
  return { vin: normaliseVin(vin), status: known, sourceProviderId };
}

/** The names that a posted record may give its VIN; a change of status knows one. */
function refuseOtherNames(record: object): void {
  const sent = PARTS.vin.names.find((name) => Object.hasOwn(record, name));
  if (sent !== undefined) throw unknownField('INVALID_PAYLOAD', { sent, meant: 'vin' });
}

/** Whose listing a change means: '' the one without a provider where null or blank was sent, and null all of the VIN. */
export const providerMeant = (own: string | null, isSent: boolean, ofBatch: string | null): string | null =>
  own ?? ofBatch ?? (isSent ? '' : null);

/** What stands beside `records`: null where it is absent, '' where it is null or blank. */
export const readProviderOfBatch = (sourceProviderId: unknown): string | null =>
  providerMeant(readProvider(sourceProviderId, []), sourceProviderId !== undefined, null);

function invalidPayload(field: string | null, value: unknown, fix: string): ApiError {
  const reason = value === undefined ? 'missing' : 'wrong_type';
  const message = value === undefined && field !== null ? `${field} is missing.` : fix;
  const place = field === null ? {} : { field };
  return new ApiError('INVALID_PAYLOAD', message, {
    details: { ...place, reason, ...(value === undefined ? {} : { received: received(value) }), fix },
  });
}

/** `refusal`: why nothing was changed, where that is more than NOT_FOUND. */
export type ChangedStatus = StatusResult & { refusal?: ApiError };

/**
 * Applies changes in order, in one statement; what is unknown, foreign or no VIN is `not_found` alike. A VIN that the
 * account lists under other providers says so.
 */
export async function changeStatuses(
  ctx: Context,
  changes: readonly StatusChange[],
): Promise<ChangedStatus[]> {
  provokeRequestFault(
    ctx,
    changes.map(({ vin }) => vin),
  );
  const possible = changes.filter(({ vin }) => hasVinLength(vin));
  const { db } = ctx.ports;
  const { id } = requireAccount(ctx);
  const known = possible.length === 0 ? [] : await setStatuses(db, id, possible, onlyDealer(ctx));
  const results = applyStatuses(changes, known).map((result) =>
    result.outcome === 'rejected' ? { ...result, refusal: tooManyListings(result.vin) } : result,
  );
  const narrowed = changes.filter(
    ({ sourceProviderId }, index) => sourceProviderId !== null && results[index]?.outcome === 'not_found',
  );
  if (narrowed.length === 0) return results;
  const vins = narrowed.map(({ vin }) => vin).filter(hasVinLength);
  const listed = Map.groupBy(await readProviders(db, id, vins, onlyDealer(ctx)), ({ vin }) => vin);
  return results.map((result, index) => {
    const providers = listed.get(result.vin)?.map(({ provider }) => provider) ?? [];
    if (result.outcome !== 'not_found' || providers.length === 0) return result;
    return { ...result, refusal: listedOtherwise(changes[index]?.sourceProviderId ?? '', providers) };
  });
}

const tooManyListings = (vin: string) =>
  new ApiError('INVALID_PAYLOAD', 'The account has as many listings as its tier allows.', {
    details: { field: 'vin', reason: 'too_many_listings', received: vin },
  });

function listedOtherwise(provider: string, others: readonly string[]): ApiError {
  const names = others.map(nameProvider).join(', ');
  return new ApiError('NOT_FOUND', `The VIN is not listed with ${nameProvider(provider)}.`, {
    details: {
      field: 'source_provider_id',
      received: received(provider || null),
      allowed: others.map((name) => name || null),
      fix: `It is listed with ${names}: send one of these, or leave source_provider_id out for all listings of the VIN.`,
    },
  });
}

/** Sets the status of all listings of a VIN in the account. Repeats are fine; throws what `changeStatuses` refuses. */
export async function changeStatus(ctx: Context, change: StatusChange) {
  const [result] = await changeStatuses(ctx, [change]);
  if (result?.refusal) throw result.refusal;
  if (!result?.previous_status) throw notFound('listing');
  const { vin, status, previous_status, updated } = result;
  ctx.note({ updated });
  return { vin, status, previous_status, updated };
}

/** The same with the body of PATCH, checked. */
export function patchStatus(ctx: Context, body: unknown) {
  return changeStatus(ctx, readChange(body, null));
}

export interface RecordStatus extends Omit<StatusResult, 'vin' | 'status'> {
  vin: string | null;
  status: ListingStatus | null;
  error?: ReturnType<typeof toEnvelope>['error'];
}

/** A result per record, in order: one that changed nothing says why. */
export function toRecordStatus(ctx: Context, { refusal, ...result }: ChangedStatus): RecordStatus {
  if (result.outcome === 'updated' || result.outcome === 'unchanged') return result;
  return { ...result, error: toEnvelope(refusal ?? notFound('listing'), ctx.publicUrl).error };
}

/** Up to 500 changes of status, applied in order; a bad record is rejected alone. */
export async function patchStatuses(ctx: Context, records: readonly unknown[], sourceProviderId: unknown) {
  const provider = readProviderOfBatch(sourceProviderId);
  const read = records.map((record) => readOrReject(ctx, record, provider));
  const changed = await changeStatuses(
    ctx,
    read.flatMap((one) => ('change' in one ? [one.change] : [])),
  );
  const rest = changed.values();
  const results = read.map((one, index) => ({
    index,
    ...('change' in one ? toRecordStatus(ctx, rest.next().value as ChangedStatus) : one.rejected),
  }));
  const summary = { received: records.length, updated: 0, unchanged: 0, not_found: 0, rejected: 0 };
  for (const { outcome } of results) summary[outcome] += 1;
  ctx.note({ ...summary });
  return { summary, results };
}

function readOrReject(
  ctx: Context,
  record: unknown,
  provider: string | null,
): { change: StatusChange } | { rejected: RecordStatus } {
  try {
    return { change: readChange(record, provider) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const refusal = toEnvelope(error, ctx.publicUrl).error;
    const nothing = { status: null, previous_status: null, updated: 0 };
    return { rejected: { outcome: 'rejected', vin: vinAsSent(record), ...nothing, error: refusal } };
  }
}
