import type { Spread } from './figures/market-figures.ts';
import type { MarketFilter } from './figures/market-filter.ts';
import type { History } from './figures/market-spells.ts';

/** Null: any. */
export type TruckKind = Pick<MarketFilter, 'make' | 'model' | 'truckClass'>;

/** A truck that another account has for sale: price and mileage are rounded where they are read. */
export interface MarketTruck {
  /** Account; never leaves the service. */
  seller: string;
  weighsNothing: boolean;
  /** Never leaves the service either. */
  vin: string;
  year: number;
  /** As market data tells models apart. Texts are '' where not known. */
  model: string;
  truckClass: string;
  body: string;
  /** `sleeper`, `crew` and the like. */
  cab: string;
  state: string;
  condition: string;
  /** Rounded to $500; null is call-for-price. */
  price: number | null;
  /** Rounded to 5,000 mi. */
  mileage: number | null;
}

/** Trucks that stand for `oneIn` times as many; 1: they are all. */
export interface MarketSample<Truck> {
  trucks: Truck[];
  oneIn: number;
}

/** The caller's own trucks, exactly. `year` null: all of them. */
export interface OwnSpread {
  year: number | null;
  count: number;
  price: Spread;
  mileage: Spread;
}

/**
 * What others have for sale: accounts that are neither suspended nor out of the market, each VIN once. What reaches a
 * caller must have passed lib/market/figures/market-rule.ts.
 */
export interface Market {
  /**
   * Available trucks of all but the caller, `count` of them; at most `max`, chosen by VIN when they are more, and no more
   * of one seller than a quarter of that.
   */
  others(
    caller: string,
    filter: MarketFilter,
    max: number,
  ): Promise<MarketSample<MarketTruck> & { count: number }>;
  /** Of the caller's available trucks, all of them first, then by model year. */
  own(caller: string, filter: MarketFilter, exceptVin?: string): Promise<OwnSpread[]>;
  /** Histories of trucks that were for sale since a moment: those for sale now, and those that have left. */
  othersHistories(caller: string, kind: TruckKind, since: number): Promise<MarketSample<History>[]>;
  ownHistories(caller: string, kind: TruckKind, since: number): Promise<MarketSample<History>[]>;
}
