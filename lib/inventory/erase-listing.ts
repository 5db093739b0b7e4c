import { beginAct } from '../accounts/audited.ts';
import { type Context, onlyDealer, requireAccount } from '../http/context.ts';
import { readProvider } from '../truck/listing/read-record.ts';
import { eraseListings } from './queries/erase-listings.ts';

/** Erases all listings of a VIN in the account, or one provider's. What is not there is erased already. */
export async function eraseListing(ctx: Context, vin: string, provider: string | undefined): Promise<object> {
  const sourceProviderId = provider === undefined ? null : (readProvider(provider, []) ?? '');
  const { requestId, actor } = beginAct(ctx, { action: 'listing.erase', target: vin });
  // No stored VIN has control characters, and Postgres refuses a text with NUL.
  if (/\p{Cc}/u.test(vin)) return {};
  const erasure = { vin: vin.toUpperCase(), sourceProviderId, requestId, actor, dealer: onlyDealer(ctx) };
  ctx.note({ erased: await eraseListings(ctx.ports.db, requireAccount(ctx).id, erasure) });
  return {};
}
