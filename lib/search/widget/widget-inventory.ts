import { isProOrAbove } from '../../accounts/access.ts';
import { toVisitorsDealer } from '../../accounts/dealers/opening.ts';
import { type Context, conflicting, requireAccount, requireDealer } from '../../http/context.ts';
import { readByVin } from '../../inventory/read-by-vin.ts';
import { makeVisitorToken } from '../../leads/spam/visitor-token.ts';
import { type CardSource, toCard, toDetailedCard } from '../../truck/card/card.ts';
import { type Locale, readLocale } from '../../truck/card/locale.ts';
import { describeFilters } from '../../truck/card/readings.ts';
import { toWidgetFacets } from '../../truck/card/widget-facets.ts';
import { isHiddenAsNoTruck } from '../../truck/vin/not-a-truck.ts';
import { findClosest } from '../find-closest.ts';
import { findListings } from '../search-listings.ts';
import type { ReadQuery } from '../words/read-query.ts';
import type { WidgetInventoryInput } from './schemas.ts';

/** A list that fits on a screen or two needs no way to narrow it. */
const MIN_FOR_FACETS = 12;

/** What the dealer has for sale, as visitors may see it. */
export async function widgetInventory(ctx: Context, query: WidgetInventoryInput) {
  const locale = readLocale(query.locale ?? 'en');
  const trucks =
    query.vin === undefined ? await search(ctx, query, locale) : await oneTruck(ctx, query.vin, locale);
  const dealer = toVisitorsDealer(requireDealer(ctx), locale, ctx.ports.clock.now());
  const chat = ctx.ports.assistant !== null && isProOrAbove(requireAccount(ctx));
  return { ...trucks, dealer, chat, visit: makeVisitorToken(ctx, 'visit', query.visitorId) };
}

async function search(ctx: Context, query: WidgetInventoryInput, locale: Locale) {
  const { yearMin, yearMax, priceMin, priceMax } = query;
  checkEnds('year', yearMin, yearMax);
  checkEnds('price', priceMin, priceMax);
  const toCards = (listings: string) =>
    (JSON.parse(listings) as CardSource[]).map((listing) => toCard(listing, ctx.origin, locale));
  const request = { ...toFilters(query), limit: query.limit, dealer: [requireDealer(ctx).slug] };
  const { listings, count, facets, filters, reading, next_cursor } = await findListings(ctx, request);
  const isFirst = query.cursor === undefined;
  return {
    vehicles: toCards(listings),
    count,
    nextCursor: next_cursor,
    ...(isFirst && count.value > MIN_FOR_FACETS ? { facets: toWidgetFacets(facets, locale) } : {}),
    ...(query.q !== undefined ? { understood: toUnderstood(reading.query, locale) } : {}),
    ...(isFirst && count.value === 0 ? { closest: toCards(await findClosest(ctx, filters)) } : {}),
  };
}

/** How `q` was read: a reading for each part of it, and `q` without that part. */
function toUnderstood({ text, parts, dropped = [] }: ReadQuery, locale: Locale) {
  return {
    readings: parts.map(([words, filters]) => describeFilters(filters, locale).join(', ') || words),
    without: parts.map(([words]) => text.replace(words, '').trim()),
    dropped,
  };
}

/** The search speaks of `price_min`; here it is `priceMin`. */
function checkEnds(name: 'year' | 'price', min: number | undefined, max: number | undefined) {
  if (min !== undefined && max !== undefined && min > max)
    throw conflicting(`${name}Min`, `must not be above ${name}Max`, min);
}

async function oneTruck(ctx: Context, vin: string, locale: Locale) {
  const listing = await readByVin(ctx.ports.db, requireAccount(ctx).id, vin.toUpperCase());
  const isShown = listing?.dealer === requireDealer(ctx).slug && listing.status === 'available';
  const now = ctx.ports.clock.now();
  const vehicles =
    listing !== null && isShown && !isHiddenAsNoTruck(listing)
      ? [toDetailedCard(listing, ctx.origin, locale, now)]
      : [];
  return { vehicles, count: { value: vehicles.length, exact: true }, nextCursor: null };
}

/** What narrows, sorts and pages the list, by the search's names: `yearMin` is `year_min`. */
function toFilters({ key, dealerSlug, visitorId, locale, vin, limit, ...query }: WidgetInventoryInput) {
  const toName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [toName(name), value]));
}
