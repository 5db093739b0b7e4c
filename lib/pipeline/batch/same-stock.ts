import { vinCandidates } from '../../truck/vin/vin-candidates.ts';
import { hasWrongCheckDigit } from '../../truck/vin/vin-contradictions.ts';
import type { Truck } from '../stage.ts';
import type { Wanted } from './stored-listings.ts';

/** Of one batch: some 40 VINs each are looked up. The warnings of further trucks do without. */
const MAX_RECORDS = 25;

/** The stock number that a record gives last. */
export function lastStockNumber(group: readonly Truck[]): string | null {
  const naming = group.findLast(({ patch }) => patch.fields.stock_number != null);
  return naming?.patch.fields.stock_number ?? null;
}

/** Where a VIN is mistyped: those it may have been, which a listing of the same stock number may have. */
export function withVinsAlike(wanted: readonly Wanted[]): readonly Wanted[] {
  const mistyped = wanted.filter(({ vin, stockNumber }) => stockNumber !== null && hasWrongCheckDigit(vin));
  const asked = new Set(mistyped.slice(0, MAX_RECORDS));
  if (asked.size === 0) return wanted;
  return wanted.map((each) =>
    asked.has(each) ? { ...each, vinsAlike: vinCandidates(each.vin).map(({ vin }) => vin) } : each,
  );
}
