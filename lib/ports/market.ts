import type { Marks, Observation, Tallies } from '../domain/market/market-cell.ts';
import type { MarketFilter } from '../domain/market/market-filter.ts';
import type { History, KnownWeek } from '../domain/market/market-weeks.ts';

/** Market data. */

export const MARKET_JOB = 'market';

/** Null: any. */
export type TruckKind = Pick<MarketFilter, 'make' | 'model' | 'truckClass'>;

/** Cells of the market, in order of model year; several of one year differ in class. */
export interface MarketCells {
  /** Whatever was written before is counted. */
  asOf: string;
  /** `marks` only when asked for. */
  cells: { year: number; tallies: Tallies; marks: Marks | null }[];
}

/**
 * What all accounts together have for sale. It knows who sells what: whatever reaches a caller must have passed
 * the rules of domain/market-figures.ts.
 */
export interface Market {
  /** The listings that fit, as they are now; null when more than `bound` would have to be looked at. */
  live(filter: MarketFilter, bound: number): Promise<Observation[] | null>;
  /** Priced listings of the same model, a few years around, those of nearest mileage; none of the VIN itself. */
  near(truck: {
    vin: string;
    make: string;
    model: string;
    year: number;
    mileage: number | null;
  }): Promise<Observation[]>;
  /** All listings of a make but those of a VIN; null when they are more than `bound`. */
  ofMake(make: string, exceptVin: string, bound: number): Promise<Observation[] | null>;
  /** The cells of the filter's make, model, model years and class; it heeds nothing else. */
  cells(filter: MarketFilter, withMarks: boolean): Promise<MarketCells>;
  /** Histories of the listings of a kind, sold and delisted ones too; null when these are more than `bound`. */
  histories(kind: TruckKind, bound: number): Promise<History[] | null>;
  /** Counted weeks from the Monday `since` on, and the newest one before; one list per class, ascending. */
  weeks(kind: TruckKind, since: string): Promise<KnownWeek[][]>;
  /** Counts the weeks of one dirty kind of truck again; false when none is dirty, null when the lease is lost. */
  foldTrend(fence: number): Promise<boolean | null>;
  /** Counts cells of at most `limit` dirty marks again; answers how many marks, null when the lease is lost. */
  fold(fence: number, limit: number): Promise<number | null>;
}
