import type { SearchInput } from '../../contract/search.ts';
import type { Card } from '../../contract/widget/widget.ts';
import type { WidgetInventoryInput } from '../../contract/widget/widget-inventory.ts';
import { type CardSource, toCard } from '../../domain/listing/card.ts';
import { ApiError } from '../../errors.ts';
import { type Context, invalid, requireAccount, requireDealer } from '../context.ts';
import { visitToken } from '../leads/visit-token.ts';
import { findListings } from './search-listings.ts';

interface Found {
  vehicles: Card[];
  count: { value: number; exact: boolean };
  nextCursor: string | null;
}

/** What the dealer has for sale, as visitors may see it. */
export async function widgetInventory(ctx: Context, query: WidgetInventoryInput) {
  const found = query.vin === undefined ? await search(ctx, query) : await oneTruck(ctx, query, query.vin);
  const { name, phone } = requireDealer(ctx);
  const chat = ctx.ports.assistant !== null && requireAccount(ctx).tier !== 'starter';
  return { ...found, dealer: { name, phone }, chat, visit: visitToken(ctx, query.visitorId) };
}

async function search(ctx: Context, query: WidgetInventoryInput): Promise<Found> {
  try {
    const { found, next_cursor } = await findListings(ctx, toSearch(query, requireDealer(ctx).slug));
    const listings: CardSource[] = JSON.parse(found.listings);
    const vehicles = listings.map((listing) => toCard(listing, ctx.origin));
    return { vehicles, count: found.count, nextCursor: next_cursor };
  } catch (error) {
    throw error instanceof ApiError ? inCamelCase(error) : error;
  }
}

async function oneTruck(ctx: Context, query: WidgetInventoryInput, vin: string): Promise<Found> {
  const { key: _, dealerSlug: __, visitorId: ___, limit: ____, vin: _____, ...filters } = query;
  if (Object.values(filters).some((filter) => filter !== undefined))
    throw invalid('vin', 'names one truck: leave the other filters out');
  const text = await ctx.ports.listings.of(requireAccount(ctx).id).byVin(vin.toUpperCase());
  const listing: (CardSource & { dealer: string | null }) | null = text === null ? null : JSON.parse(text);
  const shown =
    listing?.dealer === requireDealer(ctx).slug && listing.status === 'available' ? [listing] : [];
  const vehicles = shown.map((each) => toCard(each, ctx.origin));
  return { vehicles, count: { value: vehicles.length, exact: true }, nextCursor: null };
}

function toSearch(query: WidgetInventoryInput, dealer: string): SearchInput {
  const { q, make, model, condition, sort, limit, cursor } = query;
  return {
    ...{ q, make, model, condition, sort, limit, cursor, class: query.class, dealer: [dealer] },
    ...{ body_type: query.bodyType, fuel_type: query.fuelType },
    ...{ year_min: query.yearMin, year_max: query.yearMax, mileage_max: query.mileageMax },
    ...{ price_min: query.priceMin, price_max: query.priceMax },
  };
}

/** The search speaks of `price_min`; here it was `priceMin`. */
function inCamelCase({ code, message, details }: ApiError): ApiError {
  const camel = (text: string) => text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const sentence = (text: string) => text.replace(/\b[a-z]+(_[a-z]+)+\b/g, camel);
  const { field, fix } = details;
  return new ApiError(code, sentence(message), {
    details: {
      ...details,
      ...(field === undefined ? {} : { field: camel(field) }),
      ...(fix === undefined ? {} : { fix: sentence(fix) }),
    },
  });
}
