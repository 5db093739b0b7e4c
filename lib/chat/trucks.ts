import { type Context, requireAccount, requireDealer } from '../http/context.ts';
import { readByVin } from '../inventory/read-by-vin.ts';
import { findClosest } from '../search/find-closest.ts';
import type { SearchInput } from '../search/schemas.ts';
import { findListings } from '../search/search-listings.ts';
import type { ReadQuery } from '../search/words/read-query.ts';
import { type CardSource, toCard } from '../truck/card/card.ts';
import type { Locale } from '../truck/card/locale.ts';
import { describeFilters } from '../truck/card/readings.ts';
import { toList } from '../truck/text/table.ts';
import { isHiddenAsNoTruck } from '../truck/vin/not-a-truck.ts';
import { normaliseVin } from '../truck/vin/vin.ts';

/** The public part of a listing, as the search returns it. */
export type Truck = CardSource & { currency?: string | null };

/** A search: words as a buyer types them, which our own reader reads, and bounds. */
type TruckQuery = Partial<Pick<SearchInput, 'q' | 'sort' | 'class' | 'body_type' | (typeof BOUNDS)[number]>>;
const BOUNDS = ['price_min', 'price_max', 'year_min', 'year_max', 'mileage_max'] as const;

/** The result of a search that was made for this message. */
export interface TruckSearch {
  trucks: Truck[];
  count: { value: number; exact: boolean };
  /** `closest`: nothing matched. A truck: the others are similar to it. */
  kind: 'match' | 'closest' | Truck;
  /** The criteria in the visitor's language; null if our words cannot say all of them. */
  criteria: string[] | null;
}

const MAX_TRUCKS = 8;

export type ChatTrucks = ReturnType<typeof chatTrucks>;

/**
 * The trucks that one dealer has for sale. Account and dealer come from the request, whatever the model asks for.
 * Only trucks that were returned may be spoken of.
 */
export function chatTrucks(ctx: Context, locale: Locale) {
  const { slug } = requireDealer(ctx);
  const ownLot = { status: ['available'], dealer: [slug] };
  const returned = new Map<string, Truck>();
  const searches: TruckSearch[] = [];
  const keep = (listings: string): Truck[] => {
    const trucks: Truck[] = JSON.parse(listings);
    for (const truck of trucks) returned.set(truck.vin, truck);
    return trucks;
  };

  async function find(query: TruckQuery): Promise<TruckSearch> {
    const fullQuery = { ...query, ...ownLot, facets: false, limit: MAX_TRUCKS };
    const { listings, count, filters, reading } = await findListings(ctx, fullQuery);
    const trucks = keep(listings);
    const bounds = BOUNDS.flatMap((name) => (query[name] === undefined ? [] : [[name, [query[name]]]]));
    return {
      trucks: trucks.length > 0 ? trucks : keep(await findClosest(ctx, filters)),
      count,
      kind: trucks.length > 0 ? ('match' as const) : ('closest' as const),
      criteria: describeCriteria(reading.query, Object.fromEntries(bounds), trucks, locale),
    };
  }

  /** Adds those of these trucks that the dealer has for sale to the returned ones. */
  async function recall(vins: readonly string[]): Promise<void> {
    const { id } = requireAccount(ctx);
    for (const vin of vins.map(normaliseVin)) {
      const truck = returned.has(vin) || vin.length !== 17 ? null : await readByVin(ctx.ports.db, id, vin);
      if (truck?.status === 'available' && truck.dealer === slug && !isHiddenAsNoTruck(truck))
        returned.set(vin, truck);
    }
  }

  const get = (vin: string): Truck | null => returned.get(normaliseVin(vin)) ?? null;

  /** Keeps a result; the model may name its number. */
  const note = (result: TruckSearch) => ({ search: searches.push(result) - 1, result });

  return {
    searches,
    get,
    recall,
    find: async (query: TruckQuery) => note(await find(query)),
    /** Finds trucks of the same class and body, and about the same age; null if there is no such truck. */
    async similar(vin: string) {
      await recall([vin]);
      const truck = get(vin);
      if (truck === null) return null;
      const { class: weight, body_type: body, year } = truck;
      const { trucks } = await find({
        class: weight ? [weight] : undefined,
        body_type: body ? [body] : undefined,
        ...(year ? { year_min: year - 4, year_max: year + 4 } : {}),
      });
      const alike = trucks.filter((other) => other.vin !== truck.vin);
      return note({
        trucks: alike,
        count: { value: alike.length, exact: true },
        kind: truck,
        criteria: null,
      });
    },
    card: (vin: string) => {
      const truck = get(vin);
      return truck && toCard(truck, ctx.origin, locale);
    },
  };
}

/** Filters that can be said: each reads a column of its own, in one unit. */
const SPOKEN = toList(
  'make, model, year_min, year_max, class, body_type, condition, fuel_type, state, mileage_max',
);

/**
 * Describes the criteria of a search in our own words. Returns null if it used anything else: words, guesses from a
 * listing's text, a make or model of none of these trucks, or a price, which is in each truck's own currency.
 */
function describeCriteria(
  { filters, words, dropped = [], without }: ReadQuery,
  bounds: object,
  trucks: readonly Truck[],
  locale: Locale,
): string[] | null {
  const sought = { ...bounds, ...filters };
  const isOurs =
    [filters.make ?? [], filters.model ?? []]
      .flat()
      .every((name) => trucks.some(({ make, model }) => make === name || model === name)) &&
    Object.keys(sought).every((name) => SPOKEN.includes(name));
  return isOurs && words.length + dropped.length === 0 && !without ? describeFilters(sought, locale) : null;
}
