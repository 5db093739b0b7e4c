import { checkRange, conflicting } from '../http/context.ts';
import { readValues } from '../search/filter-values.ts';
import { cleanLine } from '../truck/text/text.ts';
import { canonicalMake } from '../truck/vocabulary/make.ts';
import { canonicalModel } from '../truck/vocabulary/model.ts';
import type { PricesInput } from './schemas.ts';

/** Conditions on trucks of the market, in canonical values; absent or null matches every truck. */
export type MarketFilter = {
  [Name in Exclude<keyof PricesInput, 'year'>]?: PricesInput[Name] | null;
};
export type TruckKind = Pick<MarketFilter, 'make' | 'model' | 'class'>;

/** Bounds of mileage are rounded outwards to multiples of this. */
const MILEAGE_BAND = 10_000;

/** @throws INVALID_PARAMS naming the parameter. */
export function readFilter({ year, ...query }: PricesInput): MarketFilter {
  const { mileage_min: low, mileage_max: high } = query;
  if (year !== undefined && (query.year_min !== undefined || query.year_max !== undefined))
    throw conflicting('year', 'goes without year_min and year_max');
  checkRange('year', query.year_min, query.year_max);
  checkRange('mileage', low, high);
  return {
    ...readKind(query),
    year_min: year ?? query.year_min,
    year_max: year ?? query.year_max,
    body_type: readOne('body_type', query.body_type),
    state: readOne('state', query.state),
    condition: readOne('condition', query.condition),
    fuel_type: readOne('fuel_type', query.fuel_type),
    mileage_min: low && Math.floor(low / MILEAGE_BAND) * MILEAGE_BAND,
    mileage_max: high === undefined ? high : Math.max(1, Math.ceil(high / MILEAGE_BAND)) * MILEAGE_BAND,
  };
}

/** Reads make, model and class; a model requires its make. */
export function readKind(query: Pick<PricesInput, 'make' | 'model' | 'class'>): TruckKind {
  if (query.model !== undefined && query.make === undefined) throw conflicting('model', 'needs make');
  const make = query.make && canonicalMake(cleanLine(query.make)).make;
  return {
    make,
    model: make && query.model && canonicalModel(cleanLine(query.model), make),
    class: readOne('class', query.class),
  };
}

const readOne = (name: Parameters<typeof readValues>[0], text: string | undefined) =>
  text === undefined ? undefined : String(readValues(name, [text])[0]);
