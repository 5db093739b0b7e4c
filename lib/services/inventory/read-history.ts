import type { ListingEvent } from '../../ports/listings.ts';
import { type Context, requireAccount } from '../context.ts';

const MAX_EVENTS = 50;

/** What befell the account's listings of a VIN, newest first. */
export const readHistory = (ctx: Context, vin: string): Promise<ListingEvent[]> =>
  ctx.ports.listings.of(requireAccount(ctx).id).history(vin, MAX_EVENTS);
