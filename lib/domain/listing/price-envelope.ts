import { LIMITS } from '../../contract/fields.ts';
import { ageOf } from '../text/year.ts';
import { PRICE_ENVELOPE } from './price-envelope-table.ts';

export interface PriceBand {
  min: number;
  max: number;
}

/** The prices in USD, both ends inclusive, that a truck of this model year may have. */
export function priceBand(year: number, currentYear: number): PriceBand {
  const age = ageOf(year, currentYear);
  const band =
    PRICE_ENVELOPE.find(({ oldest }) => age <= oldest) ?? PRICE_ENVELOPE[PRICE_ENVELOPE.length - 1];
  return { min: Math.max(LIMITS.priceFloor, band?.min ?? 0), max: band?.max ?? Number.MAX_SAFE_INTEGER };
}

const DOWN_PAYMENT = 3_000;
const YOUNG = 5;

/**
 * Why a price that stands is still doubtful by the record alone: it repeats the odometer, or a young truck costs
 * what others cost a month. Null when nothing is odd.
 */
export function priceDoubt(
  truck: { price: number | null; mileage: number | null; year: number | null },
  currentYear: number,
): string | null {
  const { price, mileage, year } = truck;
  if (price === null) return null;
  if (price === mileage) return 'equals mileage; one of the two is probably in the wrong column.';
  if (price < DOWN_PAYMENT && year !== null && ageOf(year, currentYear) <= YOUNG) {
    return 'is under $3,000 for a truck of at most 5 years; is it a monthly payment?';
  }
  return null;
}
