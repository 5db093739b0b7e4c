import type { TruckFields } from '../record/record.ts';
import { inDollars } from '../text/currency.ts';
import { grouped } from '../text/text.ts';
import { ageInYears } from '../text/year.ts';
import { likelyPrice, type PricedTruck, usualPrice } from './usual-price.ts';

/**
 * What a truck may cost by age (current year - model year, at least 0), in USD, both ends inclusive; a price outside
 * is refused as junk. Sources: a dealer inventory of 2024-12, ACT Research used Class 8 averages 2023-2024, published
 * new and used ranges. The top ends for fire apparatus and cranes are general knowledge.
 */
const PRICE_ENVELOPE = [
  { oldest: 0, min: 10_000, max: 2_000_000 },
  { oldest: 1, min: 7_500, max: 2_000_000 },
  { oldest: 2, min: 7_500, max: 1_500_000 },
  { oldest: 5, min: 4_000, max: 1_500_000 },
  { oldest: 10, min: 2_000, max: 900_000 },
  { oldest: 15, min: 1_000, max: 600_000 },
  { oldest: 20, min: 1_000, max: 400_000 },
] as const;

const OLDEST = { min: 1_000, max: 300_000 };

/** The prices in USD, both ends inclusive, that a truck of this model year may have. */
export function priceBand(year: number, currentYear: number): { min: number; max: number } {
  const age = ageInYears(year, currentYear);
  const { min, max } = PRICE_ENVELOPE.find(({ oldest }) => age <= oldest) ?? OLDEST;
  return { min, max };
}

/** Whether a truck of this model year may cost as much. */
export function isPossiblePrice(
  price: number,
  currency: string | null,
  year: number,
  currentYear: number,
): boolean {
  const { min, max } = priceBand(year, currentYear);
  const dollars = inDollars(price, currency);
  return dollars >= min && dollars <= max;
}

/** US dollars are likelier than the currency of the place where they bring a price so many times nearer to the usual one. */
const TIMES_NEARER = 4;

/** Whether a price without a currency may be in that of its place: `27500` in Tamaulipas is in dollars. */
export function suitsCurrency(truck: PricedTruck, currency: string, currentYear: number): boolean {
  const { price, year } = truck;
  if (price === null || year === null) return true;
  if (!isPossiblePrice(price, currency, year, currentYear))
    return !isPossiblePrice(price, 'USD', year, currentYear);
  const usual = usualPrice(truck, currentYear);
  if (usual === null) return true;
  const timesOff = (dollars: number) => Math.max(dollars / usual, usual / dollars);
  return timesOff(inDollars(price, currency)) <= timesOff(price) * TIMES_NEARER;
}

const DOWN_PAYMENT = 3_000;
const YOUNG = 5;

/**
 * Why a price that stands is still suspicious by the record alone: it repeats the odometer, a young truck costs what
 * others cost a month, or a digit is missing or too many. Null when nothing is odd or the price is confirmed.
 */
export function explainSuspiciousPrice(truck: PricedRecord, currentYear: number): string | null {
  const { price, mileage, year, confirmed_price: confirmed } = truck;
  if (price === null || price === confirmed) return null;
  if (price === mileage) return 'equals mileage; one of the two is probably in the wrong column.';
  if (price < DOWN_PAYMENT && year !== null && ageInYears(year, currentYear) <= YOUNG) {
    return 'is under $3,000 for a truck of at most 5 years; is it a monthly payment?';
  }
  const likely = likelyPrice(truck, currentYear);
  if (likely === null) return null;
  const times = likely > price ? 'a tenth of' : 'ten times';
  return `is about ${times} what trucks of its class, age and body ask; is it $${grouped(likely)}? If it is right, send confirmed_price with the same value.`;
}

type PricedRecord = PricedTruck & Pick<TruckFields, 'mileage' | 'confirmed_price'>;
