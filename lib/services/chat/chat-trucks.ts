import type { SearchInput } from '../../contract/search.ts';
import type { Locale } from '../../contract/widget/locale.ts';
import type { Card } from '../../contract/widget/widget.ts';
import { type CardSource, toCard } from '../../domain/card/card.ts';
import { type KnownFacts, type KnownTruck, knownFacts, listingFacts } from '../../domain/chat/known-facts.ts';
import type { FoundTrucks } from '../../domain/chat/several/said-of-several.ts';
import { dealerText } from '../../domain/chat/untrusted-text.ts';
import { normaliseVin } from '../../domain/vin/vin.ts';
import { type Context, requireAccount, requireDealer } from '../context.ts';
import { NOTHING_READ, searchFilters } from '../search/search-filters.ts';
import { findListings } from '../search/search-listings.ts';

/** The part of a listing that visitors may hear of, as the search answers it. */
type Listing = CardSource &
  Partial<
    Record<
      | 'color'
      | 'fuel_type'
      | 'engine'
      | 'transmission'
      | 'drivetrain'
      | 'cab'
      | 'stock_number'
      | 'description',
      string | null
    >
  > & {
    horsepower?: number | null;
    wheelbase?: number | null;
    gvwr?: number | null;
    features?: readonly string[] | null;
  };

/** The filters that one dealer's visitors may use. */
export type TruckQuery = Partial<Omit<SearchInput, 'dealer' | 'status' | 'cursor' | 'fields' | 'path'>>;

/**
 * What one dealer has for sale, and nothing else: the account is the caller's, the dealer the request's, whatever a
 * model asks for. It remembers what it showed, because only that may be spoken of.
 */
export interface ChatTrucks {
  find(query: TruckQuery): Promise<{ trucks: Record<string, unknown>[]; count: number }>;
  /** Null when the dealer does not sell it. */
  byVin(vin: string): Promise<Record<string, unknown> | null>;
  /** Makes these trucks known, as far as the dealer sells them. */
  recall(vins: readonly string[]): Promise<void>;
  /** Trucks like this one, the likest first; null when there is no such truck. */
  similar(vin: string): Promise<Record<string, unknown>[] | null>;
  known(): KnownTruck[];
  /** What is known beside the trucks: how many were found. */
  facts(): KnownFacts;
  /** The searches that were made, and how many trucks each found. */
  searches(): FoundTrucks[];
  card(vin: string): Card | null;
}

const MAX_FOUND = 8;
const MAX_SIMILAR = 5;
const MAX_RECALLED = 20;

export function chatTrucks(ctx: Context, locale: Locale): ChatTrucks {
  const here = { status: ['available'], dealer: [requireDealer(ctx).slug] };
  const shown = new Map<string, { listing: Listing; truck: Record<string, unknown>; known: KnownTruck }>();
  const searches: FoundTrucks[] = [];

  async function search(query: TruckQuery): Promise<{ listings: Listing[]; count: number }> {
    const limit = query.limit ?? MAX_FOUND;
    const { listings, count } = await findListings(ctx, { ...query, ...here, facets: false, limit });
    return { listings: JSON.parse(listings), count: count.value };
  }

  function show(listing: Listing): Record<string, unknown> {
    const truck = publicTruck(listing);
    shown.set(listing.vin, { listing, truck, known: knownTruck(listing, truck) });
    return truck;
  }

  /** All of them in one look. */
  async function recall(texts: readonly string[]): Promise<void> {
    const vins = texts.map(normaliseVin).filter((vin) => /^[A-Z0-9]{17}$/.test(vin) && !shown.has(vin));
    if (vins.length === 0) return;
    const { geocoder, search: finder } = ctx.ports;
    const all = await searchFilters({ ...here, limit: MAX_RECALLED }, NOTHING_READ, geocoder);
    const filters = { ...all, words: [vins.map((text) => [{ text, prefix: false }])] };
    const request = { filters, sort: 'newest', after: null, limit: MAX_RECALLED } as const;
    const found = await finder.of(requireAccount(ctx).id).find(request);
    const listings: Listing[] = JSON.parse(found.listings);
    for (const listing of listings) if (vins.includes(listing.vin) && !shown.has(listing.vin)) show(listing);
  }

  async function one(vin: string) {
    await recall([vin]);
    return shown.get(normaliseVin(vin)) ?? null;
  }

  return {
    async find(query) {
      const { listings, count } = await search(query);
      searches.push(foundTrucks(query, count));
      return { trucks: listings.map(show), count };
    },
    async byVin(vin) {
      return (await one(vin))?.truck ?? null;
    },
    async similar(vin) {
      const found = await one(vin);
      if (found === null) return null;
      const { listing } = found;
      const alike = {
        ...(listing.class ? { class: [listing.class] } : {}),
        ...(listing.body_type ? { body_type: [listing.body_type] } : {}),
        ...(listing.year ? { year_min: listing.year - 4, year_max: listing.year + 4 } : {}),
      };
      const { listings } = await search({ ...alike, limit: 50 });
      const others = listings.filter((other) => other.vin !== listing.vin);
      const ranked = others.sort((a, b) => distance(listing, a) - distance(listing, b));
      return ranked.slice(0, MAX_SIMILAR).map(show);
    },
    recall,
    known: () => [...shown.values()].map(({ known }) => known),
    facts: () => knownFacts(...new Set(searches.map(({ count }) => `${count} trucks`))),
    searches: () => searches,
    card(vin) {
      const found = shown.get(vin);
      return found ? toCard(found.listing, ctx.origin, locale) : null;
    },
  };
}

function knownTruck(listing: Listing, shown: Record<string, unknown>): KnownTruck {
  const { vin, year = null, make = null, model = null, price = null, mileage = null } = listing;
  return { vin, year, make, model, price, mileage, facts: listingFacts(shown) };
}

/** What is so of all that a search found: of several values each truck has one, so none is known of all. */
function foundTrucks(query: TruckQuery, count: number): FoundTrucks {
  const only = (values: readonly string[] | undefined) => (values?.length === 1 ? (values[0] ?? null) : null);
  const { body_type, condition, fuel_type } = query;
  const { price_min = 0, price_max = Infinity, mileage_max = Infinity } = query;
  const facts = listingFacts({
    class: only(query.class),
    body_type: only(body_type),
    condition: only(condition),
    fuel_type: only(fuel_type),
  });
  return {
    count,
    make: only(query.make),
    model: only(query.model),
    price_min,
    price_max,
    mileage_max,
    facts,
  };
}

/** Smaller is likelier to please: the same model, then make, then price and mileage near by. */
function distance(one: Listing, other: Listing): number {
  const apart = (a: number | null | undefined, b: number | null | undefined) =>
    a && b ? Math.abs(a - b) / Math.max(a, b) : 0.5;
  const name = one.make !== other.make ? 1 : one.model !== other.model ? 0.5 : 0;
  return name + apart(one.price, other.price) + apart(one.mileage, other.mileage) / 2;
}

const SHORT = 80;

/** What the model sees of a truck. Everything that a dealer wrote is cleaned: it is data and gives no orders. */
function publicTruck(listing: Listing): Record<string, unknown> {
  const text = (value: string | null | undefined, max = SHORT) => (value ? dealerText(value, max) : null);
  const truck = {
    vin: listing.vin,
    year: listing.year,
    make: text(listing.make),
    model: text(listing.model),
    trim: text(listing.trim),
    class: listing.class,
    body_type: text(listing.body_type),
    condition: listing.condition,
    [`price_${(listing.currency ?? 'USD').toLowerCase()}`]: listing.price ?? 'on request',
    mileage_miles: listing.mileage,
    color: text(listing.color),
    fuel_type: text(listing.fuel_type),
    engine: text(listing.engine),
    horsepower: listing.horsepower,
    transmission: text(listing.transmission),
    drivetrain: text(listing.drivetrain),
    cab: text(listing.cab),
    wheelbase_inches: listing.wheelbase,
    gvwr_lb: listing.gvwr,
    stock_number: text(listing.stock_number),
    city: text(listing.location?.city),
    state: text(listing.location?.state),
    features: listing.features?.slice(0, 12).map((feature) => text(feature)),
    dealer_text: text(listing.description, 600),
  };
  return Object.fromEntries(
    Object.entries(truck).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
}
