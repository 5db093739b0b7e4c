import { ApiError, toEnvelope } from '../errors.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../http/context.ts';
import { vinAsSent } from '../pipeline/vin-as-sent.ts';
import type { ListingStatus } from '../truck/fields.ts';
import { nameProvider } from '../truck/text/quote.ts';
import { received } from '../truck/text/text.ts';
import { hasVinLength } from '../truck/vin/vin.ts';
import { type Batch, checkBatchMembers } from './batch-members.ts';
import { type KnownStatus, readProviders, type StatusChange, setStatuses } from './queries/status-change.ts';
import { readChange, readOrRefuse, readProviderOfBatch } from './read-status.ts';
import { provokeFault } from './test-faults.ts';

/** What became of one change of status. */
export interface ChangedStatus {
  outcome: 'updated' | 'unchanged' | 'not_found' | 'rejected';
  vin: string | null;
  status: ListingStatus | null;
  previous_status: ListingStatus | null;
  updated: number;
  /** Why it was not made. */
  refusal?: ApiError;
}

/**
 * Applies changes in order, in one statement; what is unknown, foreign or no VIN is `not_found` alike. A VIN that the
 * account lists under other providers than the one named says so.
 */
export async function changeStatuses(
  ctx: Context,
  changes: readonly StatusChange[],
): Promise<ChangedStatus[]> {
  for (const { vin } of changes) provokeFault(ctx, vin);
  const { db } = ctx.ports;
  const { id } = requireAccount(ctx);
  const possible = changes.filter(({ vin }) => hasVinLength(vin));
  const listings = possible.length === 0 ? [] : await setStatuses(db, id, possible, onlyDealer(ctx));
  const results = applyChanges(changes, listings);
  const narrowed = possible.filter(
    (change) => change.sourceProviderId !== null && results[changes.indexOf(change)]?.outcome === 'not_found',
  );
  if (narrowed.length === 0) return results;
  const vins = narrowed.map(({ vin }) => vin);
  const listed = Map.groupBy(await readProviders(db, id, vins, onlyDealer(ctx)), ({ vin }) => vin);
  return results.map((result, index) => {
    const { vin = '', sourceProviderId = '' } = changes[index] ?? {};
    const others = listed.get(vin)?.map(({ provider }) => provider);
    if (result.outcome !== 'not_found' || others === undefined) return result;
    return { ...result, refusal: listedOtherwise(sourceProviderId ?? '', others) };
  });
}

/** What the changes do to the listings of their VINs, given freshest first, one after the other. */
function applyChanges(changes: readonly StatusChange[], known: readonly KnownStatus[]): ChangedStatus[] {
  const listings = Map.groupBy(known, ({ vin }) => vin);
  return changes.map(({ vin, sourceProviderId, status }) => {
    const all = listings.get(vin) ?? [];
    const named = all.filter(
      (listing) => sourceProviderId === null || listing.sourceProviderId === sourceProviderId,
    );
    const shown = named.find((listing) => listing.status === 'available') ?? named[0];
    const result = { vin, status, previous_status: shown?.status ?? null, updated: 0 };
    if (!shown) return { ...result, outcome: 'not_found', refusal: notFound('listing') };
    const turned = named.filter((listing) => listing.status !== status);
    if (turned.length === 0) return { ...result, outcome: 'unchanged' };
    const changed = turned.filter(({ isRefused }) => !isRefused);
    if (changed.length === 0) return { ...result, outcome: 'rejected', refusal: tooManyListings(vin) };
    // What was just changed is the freshest.
    const rest = all.filter((listing) => !changed.includes(listing));
    listings.set(vin, [...changed.map((listing) => ({ ...listing, status })), ...rest]);
    return { ...result, outcome: 'updated', updated: changed.length };
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

/** Sets the status of all listings of a VIN in the account. Repeats are fine; throws why it cannot. */
export async function changeStatus(ctx: Context, change: StatusChange) {
  const [result] = await changeStatuses(ctx, [change]);
  if (!result) throw new Error('a change of status has no result');
  const { vin, status, previous_status, updated, refusal } = result;
  if (refusal) throw refusal;
  ctx.note({ updated });
  return { vin, status, previous_status, updated };
}

/** The same with the body of PATCH, checked. */
export const patchStatus = (ctx: Context, body: unknown) => changeStatus(ctx, readChange(body, null));

/** A change that was refused before it was tried. */
export const refusedChange = (record: unknown, refusal: ApiError): ChangedStatus => ({
  outcome: 'rejected',
  vin: vinAsSent(record),
  status: null,
  previous_status: null,
  updated: 0,
  refusal,
});

/** As it is answered among others: what changed nothing says why. */
export const toStatusResult = (ctx: Context, { refusal, ...result }: ChangedStatus) =>
  refusal ? { ...result, error: toEnvelope(refusal, ctx.publicUrl).error } : result;

/** Up to 500 changes of status, applied in order; a bad record is rejected alone. */
export async function patchStatuses(ctx: Context, body: Batch) {
  const { records } = body;
  checkBatchMembers(body, 'INVALID_PAYLOAD');
  const provider = readProviderOfBatch(body.source_provider_id);
  const changes = records.map((record) => readOrRefuse(() => readChange(record, provider)));
  const changed = await changeStatuses(
    ctx,
    changes.filter((change) => !(change instanceof ApiError)),
  );
  const rest = changed.values();
  const results = changes.map((change, index) => {
    const refused = change instanceof ApiError ? refusedChange(records[index], change) : null;
    return { index, ...toStatusResult(ctx, refused ?? (rest.next().value as ChangedStatus)) };
  });
  const summary = { received: records.length, updated: 0, unchanged: 0, not_found: 0, rejected: 0 };
  for (const { outcome } of results) summary[outcome] += 1;
  ctx.note({ ...summary });
  return { summary, results };
}
