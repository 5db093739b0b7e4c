import { isProOrAbove } from '../../accounts/access.ts';
import { toVisitorsDealer } from '../../accounts/dealers/opening.ts';
import { type Context, conflicting, invalid, requireAccount, requireDealer } from '../../http/context.ts';
import { readByVin } from '../../inventory/queries/by-vin.ts';
import { visitToken } from '../../leads/spam/visit-token.ts';
import { type CardSource, toCard, toDetailedCard } from '../../truck/card/card.ts';
import { type Locale, readLocale } from '../../truck/card/locale.ts';
import { describeReading } from '../../truck/card/readings.ts';
import { toWidgetFacets } from '../../truck/card/widget-facets.ts';
import { isHiddenAsNoTruck } from '../../truck/vin/not-a-truck.ts';
import { findClosest } from '../find-closest.ts';
import type { SearchInput } from '../schemas.ts';
import { findListings } from '../search-listings.ts';
import type { WidgetInventoryInput } from './schemas.ts';

/** A list that fits on a screen or two needs no way to narrow it. */
const MIN_FOR_FACETS = 12;

/** What the dealer has for sale, as visitors may see it. */
export async function widgetInventory(ctx: Context, query: WidgetInventoryInput) {
  const locale = readLocale(query.locale ?? 'en');
  const found =
    query.vin === undefined
      ? await search(ctx, query, locale)
      : await oneTruck(ctx, query, query.vin, locale);
  const dealer = toVisitorsDealer(requireDealer(ctx), locale, ctx.ports.clock.now());
  const chat = ctx.ports.assistant !== null && isProOrAbove(requireAccount(ctx));
  return { ...found, dealer, chat, visit: visitToken(ctx, query.visitorId) };
}

async function search(ctx: Context, query: WidgetInventoryInput, locale: Locale) {
  const { yearMin, yearMax, priceMin, priceMax } = query;
  checkEnds('year', yearMin, yearMax);
  checkEnds('price', priceMin, priceMax);
  const toCards = (listings: string) =>
    (JSON.parse(listings) as CardSource[]).map((listing) =>
      toCard(listing, ctx.origin, query.locale === undefined ? undefined : locale),
    );
  const asked = toSearch(query, requireDealer(ctx).slug);
  const { listings, count, facets, filters, reading, next_cursor } = await findListings(ctx, asked);
  const isFirst = query.cursor === undefined;
  return {
    vehicles: toCards(listings),
    count,
    nextCursor: next_cursor,
    ...(isFirst && count.value > MIN_FOR_FACETS ? { facets: toWidgetFacets(facets, locale) } : {}),
    ...(query.q !== undefined ? { understood: describeReading(reading.query, locale) } : {}),
    ...(isFirst && count.value === 0 ? { closest: toCards(await findClosest(ctx, filters)) } : {}),
  };
}

/** The search speaks of `price_min`; here it is `priceMin`. */
function checkEnds(name: 'year' | 'price', min: number | undefined, max: number | undefined): void {
  if (min !== undefined && max !== undefined && min > max)
    throw conflicting(`${name}Min`, `must not be above ${name}Max`, min);
}

/** What may be sent with the VIN of one truck: no filter is among it. */
const BESIDE_VIN: ReadonlySet<string> = new Set<keyof WidgetInventoryInput>([
  'key',
  'dealerSlug',
  'visitorId',
  'limit',
  'vin',
  'locale',
]);

async function oneTruck(ctx: Context, query: WidgetInventoryInput, vin: string, locale: Locale) {
  if (Object.entries(query).some(([name, value]) => value !== undefined && !BESIDE_VIN.has(name)))
    throw invalid('vin', 'names one truck: leave the other filters out', { reason: 'conflicting' });
  const listing = await readByVin(ctx.ports.db, requireAccount(ctx).id, vin.toUpperCase());
  const isShown = listing?.dealer === requireDealer(ctx).slug && listing.status === 'available';
  const shown = listing !== null && isShown && !isHiddenAsNoTruck(listing) ? [listing] : [];
  const now = ctx.ports.clock.now();
  const vehicles = shown.map((each) => toDetailedCard(each, ctx.origin, locale, now));
  return { vehicles, count: { value: vehicles.length, exact: true }, nextCursor: null };
}

function toSearch(query: WidgetInventoryInput, dealer: string): SearchInput {
  const { q, make, model, condition, sort, limit, cursor } = query;
  return {
    q,
    make,
    model,
    condition,
    sort,
    limit,
    cursor,
    class: query.class,
    dealer: [dealer],
    body_type: query.bodyType,
    fuel_type: query.fuelType,
    year_min: query.yearMin,
    year_max: query.yearMax,
    mileage_max: query.mileageMax,
    price_min: query.priceMin,
    price_max: query.priceMax,
  };
}
