import { hash } from 'node:crypto';
import { isProOrAbove } from '../../contract/accounts/access.ts';
import type { WithHistory } from '../../ports/listings.ts';
import { type Context, notFound, onlyDealer, requireAccount } from '../context.ts';
import { provokeRequestFault } from './test-faults.ts';

/**
 * The account's listing of a VIN as JSON text, with its ETag. A lower-case VIN is looked up in upper case; nothing
 * is stripped. From Pro on it has its position in the market. Absent and foreign VINs are the same NOT_FOUND.
 */
export async function readListing(ctx: Context, vin: string): Promise<{ json: string; etag: string }> {
  provokeRequestFault(ctx, [vin.toUpperCase()]);
  const account = requireAccount(ctx);
  const listings = ctx.ports.listings.of(account.id);
  const read = isProOrAbove(account) ? listings.byVinInMarket : listings.byVin;
  const json = hasControls(vin) ? null : await read(vin.toUpperCase());
  if (json === null || !isReached(ctx, json)) throw notFound('listing');
  return { json, etag: `"${hash('sha1', json, 'base64url')}"` };
}

const MAX_EVENTS = 50;

/** The account's listing of a VIN, without its position in the market, and what befell it lately. */
export async function readWithHistory(ctx: Context, vin: string): Promise<WithHistory> {
  const listings = ctx.ports.listings.of(requireAccount(ctx).id);
  const found = hasControls(vin) ? null : await listings.withHistory(vin.toUpperCase(), MAX_EVENTS);
  if (found === null || !isReached(ctx, found.json)) throw notFound('listing');
  return found;
}

/** No stored VIN has control characters, and Postgres refuses a text with NUL. */
const hasControls = (vin: string) => /\p{Cc}/u.test(vin);

function isReached(ctx: Context, json: string): boolean {
  const only = onlyDealer(ctx);
  return only === null || JSON.parse(json).dealer === only;
}
