import { checkRange, conflicting, invalid } from '../http/context.ts';
import { readState } from '../truck/place/states.ts';
import { cleanLine } from '../truck/text/text.ts';
import { canonicalBody } from '../truck/vocabulary/body.ts';
import { canonicalMake } from '../truck/vocabulary/make.ts';
import { canonicalModel } from '../truck/vocabulary/model.ts';
import { canonicalFuel, readCondition } from '../truck/vocabulary/resolve.ts';
import { readWeightClass, truckClass } from '../truck/vocabulary/weight-class.ts';
import { type MarketFilter, wholeBands } from './figures/market-filter.ts';
import type { PricesInput } from './schemas.ts';

/** The filter of a query in canonical values. Throws INVALID_PARAMS naming the parameter. */
export function marketFilter(query: PricesInput): MarketFilter {
  const { year } = query;
  if (year !== undefined && (query.year_min !== undefined || query.year_max !== undefined))
    throw conflicting('year', 'goes without year_min and year_max');
  checkRange('year', query.year_min, query.year_max);
  checkRange('mileage', query.mileage_min, query.mileage_max);
  return {
    ...truckKind(query),
    yearMin: year ?? query.year_min ?? null,
    yearMax: year ?? query.year_max ?? null,
    body:
      query.body_type === undefined ? null : (canonicalBody(cleanLine(query.body_type)) ?? query.body_type),
    state: read('state', query.state, readState, 'a state of the US or Mexico, or a Canadian province'),
    condition: read('condition', query.condition, readCondition, 'new or used'),
    fuel: query.fuel_type === undefined ? null : canonicalFuel(cleanLine(query.fuel_type)),
    ...wholeBands(query.mileage_min ?? null, query.mileage_max ?? null),
  };
}

/** Make, model and class; a model makes sense with its make only. */
export function truckKind(query: Pick<PricesInput, 'make' | 'model' | 'class'>) {
  if (query.model !== undefined && query.make === undefined) throw conflicting('model', 'needs make');
  const hints = { vin: '', year: null, isTruck: true };
  const make = query.make === undefined ? null : canonicalMake(cleanLine(query.make), hints).make;
  return {
    make,
    model: make === null || query.model === undefined ? null : canonicalModel(cleanLine(query.model), make),
    truckClass: read(
      'class',
      query.class,
      (text) => truckClass(readWeightClass(text)),
      'a weight class from 3 to 8',
    ),
  };
}

const WIRE_NAMES = {
  make: 'make',
  model: 'model',
  yearMin: 'year_min',
  yearMax: 'year_max',
  truckClass: 'class',
  body: 'body_type',
  state: 'state',
  condition: 'condition',
  fuel: 'fuel_type',
  mileageMin: 'mileage_min',
  mileageMax: 'mileage_max',
} as const satisfies Record<keyof MarketFilter, string>;

/** The filter by the names of the query, without what is open. */
export function shownFilters(filter: Partial<MarketFilter>): Record<string, string | number> {
  const shown: Record<string, string | number> = {};
  for (const [name, wireName] of Object.entries(WIRE_NAMES)) {
    const value = filter[name as keyof MarketFilter];
    if (value !== null && value !== undefined) shown[wireName] = value;
  }
  return shown;
}

function read<Value>(
  field: string,
  text: string | undefined,
  reader: (text: string) => Value | null,
  expected: string,
): Value | null {
  if (text === undefined) return null;
  const value = reader(text);
  if (value === null) throw invalid(field, `must be ${expected}`, { received: text });
  return value;
}
