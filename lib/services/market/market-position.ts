import { ANY_TRUCK } from '../../domain/market/market-filter.ts';
import { type Position, toMarketPosition } from '../../domain/market/market-position.ts';
import type { TruckInMarket } from '../../ports/listings.ts';
import type { Market, MarketSample } from '../../ports/market.ts';

/** Prices of a kind of truck are kept for so long: reading a seller's trucks one by one asks for few kinds. */
const KEPT_MS = 30_000;
const MAX_KEPT = 500;
const MAX_TRUCKS = 200;

interface Kept {
  until: number;
  prices: Promise<MarketSample<{ seller: string; value: number }>>;
}
const kept = new WeakMap<Market, Map<string, Kept>>();

/** Where a listing's price stands among others' trucks of its model, model year and class. */
export async function marketPosition(
  market: Market,
  now: number,
  caller: string,
  truck: TruckInMarket,
): Promise<Position> {
  const { trucks, oneIn } = await keptPrices(market, now, caller, truck);
  return toMarketPosition(trucks, oneIn, truck.price);
}

function keptPrices(market: Market, now: number, caller: string, truck: TruckInMarket): Kept['prices'] {
  const byKind = kept.get(market) ?? new Map<string, Kept>();
  kept.set(market, byKind);
  const { make, model, year, truckClass } = truck;
  const kind = JSON.stringify([caller, make, model, year, truckClass]);
  const known = byKind.get(kind);
  if (known && known.until > now) return known.prices;
  if (byKind.size >= MAX_KEPT) byKind.clear();
  const prices = readPrices(market, caller, truck);
  byKind.set(kind, { until: now + KEPT_MS, prices });
  // A failure is not kept.
  prices.catch(() => byKind.delete(kind));
  return prices;
}

async function readPrices(market: Market, caller: string, { make, model, year, truckClass }: TruckInMarket) {
  const filter = { ...ANY_TRUCK, make, model: model ?? '', yearMin: year, yearMax: year, truckClass };
  const { trucks, oneIn } = await market.others(caller, filter, MAX_TRUCKS);
  const prices = trucks.flatMap(({ seller, price }) => (price === null ? [] : [{ seller, value: price }]));
  return { trucks: prices, oneIn };
}
