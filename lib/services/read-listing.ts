import { createHash } from 'node:crypto';
import { accountOf, type Context, notFound } from './context.ts';

/**
 * The account's listing of a VIN as JSON text, with its ETag. A lower-case VIN is looked up in upper case; nothing
 * is stripped. Absent and foreign VINs are the same NOT_FOUND.
 */
export async function readListing(ctx: Context, vin: string): Promise<{ json: string; etag: string }> {
  const json = await ctx.ports.listings.of(accountOf(ctx).id).byVin(vin.toUpperCase());
  if (json === null) throw notFound('listing');
  return { json, etag: `"${createHash('sha1').update(json).digest('base64url')}"` };
}
