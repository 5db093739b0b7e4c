import { decodeModelYears } from '../../truck/vin/vin.ts';
import type { Maker, Tables } from './tables.ts';

export interface YearReading {
  /** Null when position 10 stands for no year, or for two and nothing tells them apart. */
  year: number | null;
  /** Years that position 10 may stand for and the maker has schemas for; all that it may stand for when none has. */
  possible: number[];
}

/**
 * Position 10 repeats every 30 years, and for trucks position 7 does not tell which round it is (the rule of 2010
 * holds up to 10,000 lb only). So: the year the maker has a schema for, else the record's year, else the year whose
 * schemas explain more of the VIN; of two that explain as much neither.
 */
export function readYear(
  tables: Tables,
  maker: Maker,
  vin: string,
  { recordYear, currentYear }: { recordYear: number | null; currentYear: number },
): YearReading {
  const all = decodeModelYears(vin, currentYear);
  const covered = all.filter((year) => tables.covers(maker, year));
  const possible = covered.length > 0 ? covered : all;
  const [only, ...others] = possible;
  if (only === undefined) return { year: null, possible };
  if (others.length === 0) return { year: only, possible };
  if (recordYear !== null && possible.includes(recordYear)) return { year: recordYear, possible };
  const explained = covered
    .map((year) => ({ year, count: Object.keys(tables.read(maker, vin, year)).length }))
    .sort((one, other) => other.count - one.count);
  const [best, second] = explained;
  const isClear = best !== undefined && best.count > (second?.count ?? 0);
  return { year: isClear ? best.year : null, possible };
}
