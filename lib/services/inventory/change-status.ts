import { LIMITS, type PATCH_STATUSES } from '../../contract/fields.ts';
import { readProvider } from '../../domain/listing/read-record.ts';
import { normaliseVin } from '../../domain/vin/vin.ts';
import { accountOf, type Context, notFound } from '../context.ts';

export interface StatusChange {
  vin: string;
  status: (typeof PATCH_STATUSES)[number];
  /** Narrows the change to one provider's listing, read as on posting; blank: the listing without a provider. */
  sourceProviderId: string | number | null;
}

/**
 * Sets the status of all listings of a VIN in the account. Repeats are fine; unknown, foreign and malformed VINs
 * are the same NOT_FOUND.
 */
export async function changeStatus(ctx: Context, { vin: sent, status, sourceProviderId }: StatusChange) {
  const vin = normaliseVin(sent);
  if (vin.length !== LIMITS.vinLength) throw notFound('listing');
  const provider = sourceProviderId === null ? null : (readProvider(sourceProviderId, []) ?? '');
  const changed = await ctx.ports.listings.of(accountOf(ctx).id).setStatus(vin, provider, status);
  if (changed === null) throw notFound('listing');
  ctx.note({ updated: changed.updated });
  return { vin, status, previous_status: changed.previous, updated: changed.updated };
}
