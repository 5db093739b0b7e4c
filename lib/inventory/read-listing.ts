import { isProOrAbove } from '../accounts/access.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../http/context.ts';
import { type ListingAnswer, readByVin, readByVinInMarket, readWithHistory } from './read-by-vin.ts';
import { provokeFault } from './test-faults.ts';

/**
 * The account's listing of a VIN. A lower-case VIN is looked up in upper case; nothing is stripped. From Pro on it has
 * its position in the market. Absent and foreign VINs are the same NOT_FOUND.
 */
export async function readListing(ctx: Context, vin: string): Promise<ListingAnswer> {
  provokeFault(ctx, vin.toUpperCase());
  const account = requireAccount(ctx);
  const read = isProOrAbove(account) ? readByVinInMarket : readByVin;
  const listing = hasControls(vin) ? null : await read(ctx.ports.db, account.id, vin.toUpperCase());
  if (listing === null || !isReached(ctx, listing)) throw notFound('listing');
  return listing;
}

/** The account's listing of a VIN, without its position in the market, and what befell it lately. */
export async function readListingWithHistory(ctx: Context, vin: string) {
  const found = hasControls(vin)
    ? null
    : await readWithHistory(ctx.ports.db, requireAccount(ctx).id, vin.toUpperCase());
  if (found === null || !isReached(ctx, found.listing)) throw notFound('listing');
  return found;
}

/** No stored VIN has control characters, and Postgres refuses a text with NUL. */
const hasControls = (vin: string) => /\p{Cc}/u.test(vin);

function isReached(ctx: Context, { dealer }: ListingAnswer): boolean {
  const only = onlyDealer(ctx);
  return only === null || dealer === only;
}
