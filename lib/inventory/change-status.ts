import { ApiError, toEnvelope } from '../errors.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../http/context.ts';
import { vinAsSent } from '../pipeline/results.ts';
import type { ListingStatus } from '../truck/fields.ts';
import { nameProvider, toReceivedValue } from '../truck/text/text.ts';
import { hasVinLength } from '../truck/vin/vin.ts';
import { type Batch, checkBatchMembers } from './batch-members.ts';
import { type KnownStatus, type StatusChange, setStatuses } from './queries/status-change.ts';
import { readChange, readProviderOfBatch } from './read-status.ts';
import { provokeFault } from './test-faults.ts';

/** Outcome of one change of status. */
export interface ChangedStatus {
  outcome: 'updated' | 'unchanged' | 'not_found' | 'rejected';
  vin: string | null;
  status: ListingStatus | null;
  previous_status: ListingStatus | null;
  updated: number;
  /** Why it was not made. */
  refusal?: ApiError;
}

/** A change as it is read, or refused before it is tried. */
export function readOrRefuse<Change>(record: unknown, read: () => Change): Change | ChangedStatus {
  try {
    return read();
  } catch (refusal) {
    if (!(refusal instanceof ApiError)) throw refusal;
    const vin = vinAsSent(record);
    return { outcome: 'rejected', vin, status: null, previous_status: null, updated: 0, refusal };
  }
}

/** Applies changes in order, in one statement; what is unknown, foreign or no VIN is `not_found` alike. */
export async function changeStatuses(
  ctx: Context,
  changes: readonly (StatusChange | ChangedStatus)[],
): Promise<ChangedStatus[]> {
  const possible = changes.flatMap((change) =>
    'outcome' in change || !hasVinLength(change.vin) ? [] : [change],
  );
  for (const { vin } of possible) provokeFault(ctx, vin);
  const { id } = requireAccount(ctx);
  const results = possible.length === 0 ? [] : await setStatuses(ctx.ports.db, id, possible, onlyDealer(ctx));
  const listings = Map.groupBy(results, ({ vin }) => vin);
  return changes.map((change) => ('outcome' in change ? change : applyChange(change, listings)));
}

/** What a change does to the listings of its VIN, given freshest first. */
function applyChange(
  { vin, sourceProviderId, status }: StatusChange,
  listings: Map<string, KnownStatus[]>,
): ChangedStatus {
  const all = listings.get(vin) ?? [];
  const namedListings = all.filter(
    (listing) => sourceProviderId === null || listing.sourceProviderId === sourceProviderId,
  );
  const listing = namedListings.find((listing) => listing.status === 'available') ?? namedListings[0];
  const result = { vin, status, previous_status: listing?.status ?? null, updated: 0 };
  if (!listing) return { ...result, outcome: 'not_found', refusal: notListed(sourceProviderId ?? '', all) };
  const turned = namedListings.filter((listing) => listing.status !== status);
  if (turned.length === 0) return { ...result, outcome: 'unchanged' };
  const accepted = turned.filter(({ isRefused }) => !isRefused);
  if (accepted.length === 0) return { ...result, outcome: 'rejected', refusal: tooManyListings(vin) };
  // What was just changed is the freshest.
  const rest = all.filter((listing) => !accepted.includes(listing));
  listings.set(vin, [...accepted.map((listing) => ({ ...listing, status })), ...rest]);
  return { ...result, outcome: 'updated', updated: accepted.length };
}

const tooManyListings = (vin: string) =>
  new ApiError('INVALID_PAYLOAD', 'The account has as many listings as its tier allows.', {
    details: { field: 'vin', reason: 'too_many_listings', received: vin },
  });

function notListed(provider: string, listings: readonly KnownStatus[]): ApiError {
  if (listings.length === 0) return notFound('listing');
  return new ApiError('NOT_FOUND', `The VIN is not listed with ${nameProvider(provider)}.`, {
    details: {
      field: 'source_provider_id',
      received: toReceivedValue(provider || null),
      fix: 'Send one of the `sources` of GET /v1/inventory/{vin}, or leave source_provider_id out for all listings of the VIN.',
    },
  });
}

/** The answer to a change that stands alone; throws why it was not made. */
export function toStatusAnswer({ refusal, outcome: _, ...answer }: ChangedStatus) {
  if (refusal) throw refusal;
  return answer;
}

/** As it is answered among others: what changed nothing says why. */
export const toStatusResult = (ctx: Context, { refusal, ...result }: ChangedStatus) =>
  refusal ? { ...result, error: toEnvelope(refusal, ctx.publicUrl).error } : result;

/** Sets the status of all listings of a VIN in the account. Repeats are fine. */
export async function patchStatus(ctx: Context, body: unknown) {
  const [changed] = await changeStatuses(ctx, [readChange(body, null)]);
  const answer = toStatusAnswer(changed as ChangedStatus);
  ctx.note({ updated: answer.updated });
  return answer;
}

/** Up to 500 changes of status, applied in order; a bad record is rejected alone. */
export async function patchStatuses(ctx: Context, body: Batch) {
  checkBatchMembers(body, 'INVALID_PAYLOAD');
  const provider = readProviderOfBatch(body.source_provider_id);
  const changes = body.records.map((record) => readOrRefuse(record, () => readChange(record, provider)));
  const changed = await changeStatuses(ctx, changes);
  const results = changed.map((change, index) => ({ index, ...toStatusResult(ctx, change) }));
  const summary = { received: results.length, updated: 0, unchanged: 0, not_found: 0, rejected: 0 };
  for (const { outcome } of results) summary[outcome] += 1;
  ctx.note({ ...summary });
  return { summary, results };
}
