import { isProOrAbove } from '../accounts/access.ts';
import type { Sql } from '../db/sql.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../http/context.ts';
import { type ListingAnswer, readByVin, readByVinInMarket, readWithHistory } from './read-by-vin.ts';
import { provokeFault } from './test-faults.ts';

/**
 * The account's listing of a VIN. A lower-case VIN is looked up in upper case; nothing is stripped. From Pro on it has
 * its position in the market. Absent and foreign VINs are the same NOT_FOUND.
 */
export function readListing(ctx: Context, vin: string): Promise<ListingAnswer> {
  provokeFault(ctx, vin.toUpperCase());
  return find(ctx, vin, isProOrAbove(requireAccount(ctx)) ? readByVinInMarket : readByVin);
}

/** The account's listing of a VIN, without its position in the market, and what befell it lately. */
export const readListingWithHistory = (ctx: Context, vin: string) => find(ctx, vin, readWithHistory);

async function find<Listing extends ListingAnswer>(
  ctx: Context,
  vin: string,
  read: (sql: Sql, accountId: string, vin: string) => Promise<Listing | null>,
): Promise<Listing> {
  // No stored VIN has control characters, and Postgres refuses a text with NUL.
  const isPossible = !/\p{Cc}/u.test(vin);
  const listing = isPossible ? await read(ctx.ports.db, requireAccount(ctx).id, vin.toUpperCase()) : null;
  const onlySlug = onlyDealer(ctx);
  if (listing === null || (onlySlug !== null && listing.dealer !== onlySlug)) throw notFound('listing');
  return listing;
}
