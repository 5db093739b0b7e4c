import { toAuditEntry } from '../accounts/audited.ts';
import { type Context, onlyDealer, requireAccount } from '../http/context.ts';
import { readProvider } from '../truck/listing/read-record.ts';

/** Erases all listings of a VIN in the account, or one provider's. What is not there is erased already. */
export async function eraseListing(ctx: Context, vin: string, provider: string | undefined): Promise<object> {
  const sourceProviderId = provider === undefined ? null : (readProvider(provider, []) ?? '');
  const { requestId, actor } = toAuditEntry(ctx, 'listing.erase', vin);
  // No stored VIN has control characters, and Postgres refuses a text with NUL.
  const listings = /\p{Cc}/u.test(vin) ? null : ctx.ports.listings.of(requireAccount(ctx).id);
  const erased = await listings?.erase({
    vin: vin.toUpperCase(),
    sourceProviderId,
    requestId,
    actor,
    dealer: onlyDealer(ctx),
  });
  ctx.note({ erased });
  return {};
}
