import { hash } from 'node:crypto';
import { accountOf, type Context, notFound } from './context.ts';

/**
 * The account's listing of a VIN as JSON text, with its ETag. A lower-case VIN is looked up in upper case; nothing
 * is stripped. Absent and foreign VINs are the same NOT_FOUND.
 */
export async function readListing(ctx: Context, vin: string): Promise<{ json: string; etag: string }> {
  // No stored VIN has control characters, and Postgres refuses a text with NUL.
  const listings = ctx.ports.listings.of(accountOf(ctx).id);
  const json = /\p{Cc}/u.test(vin) ? null : await listings.byVin(vin.toUpperCase());
  if (json === null) throw notFound('listing');
  return { json, etag: `"${hash('sha1', json, 'base64url')}"` };
}
