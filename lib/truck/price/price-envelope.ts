import type { TruckFields } from '../record/record.ts';
import { toDollars } from '../text/currency.ts';
import { toList, toTable } from '../text/table.ts';
import { groupDigits } from '../text/text.ts';
import { ageInYears } from '../text/year.ts';

/**
 * Possible prices by age (current year - model year, at least 0), in USD, both ends inclusive. A price outside rejects the
 * record. Sources: a dealer inventory of 2024-12, ACT Research used Class 8 averages 2023-2024, published
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

/** Finds the possible prices of a model year in USD, both ends inclusive. */
export function findPriceBand(year: number, currentYear: number): { min: number; max: number } {
  const age = ageInYears(year, currentYear);
  const { min, max } = PRICE_ENVELOPE.find(({ oldest }) => age <= oldest) ?? OLDEST;
  return { min, max };
}

/** True if a price is possible for a model year. */
export function isPossiblePrice(
  price: number,
  currency: string | null,
  year: number,
  currentYear: number,
): boolean {
  const { min, max } = findPriceBand(year, currentYear);
  const dollars = toDollars(price, currency);
  return dollars >= min && dollars <= max;
}

/** A price without a currency is in US dollars if that is this many times nearer to the usual price. */
const TIMES_NEARER = 4;

/** True if a price without a currency may be in that of its place; `27500` in Tamaulipas is in dollars. */
export function suitsCurrency(truck: PricedTruck, currency: string, currentYear: number): boolean {
  const { price, year } = truck;
  if (price === null || year === null) return true;
  if (!isPossiblePrice(price, currency, year, currentYear))
    return !isPossiblePrice(price, 'USD', year, currentYear);
  const usual = estimatePrice(truck, currentYear);
  if (usual === null) return true;
  const timesOff = (dollars: number) => Math.max(dollars / usual, usual / dollars);
  return timesOff(toDollars(price, currency)) <= timesOff(price) * TIMES_NEARER;
}

const DOWN_PAYMENT = 3_000;
const YOUNG = 5;

/**
 * Explains why a possible price is suspicious: it equals the mileage, it looks like a monthly payment, or a digit is missing
 * or too many. Null if it is plausible or confirmed.
 */
export function explainSuspiciousPrice(truck: PricedRecord, currentYear: number): string | null {
  const { price, mileage, year, confirmed_price: confirmed } = truck;
  if (price === null || price === confirmed) return null;
  if (price === mileage) return 'equals mileage; one of the two is probably in the wrong column.';
  if (price < DOWN_PAYMENT && year !== null && ageInYears(year, currentYear) <= YOUNG) {
    return 'is under $3,000 for a truck of at most 5 years; is it a monthly payment?';
  }
  const likely = findLikelyPrice(truck, currentYear);
  if (likely === null) return null;
  const times = likely > price ? 'a tenth of' : 'ten times';
  return `is about ${times} the usual price for its class, age and body; is it $${groupDigits(likely)}? If it is right, send confirmed_price with the same value.`;
}

type PricedRecord = PricedTruck & Pick<TruckFields, 'mileage' | 'confirmed_price'>;

/** Estimates of usual prices by class, age and body, good enough to notice a digit too many or too few. */

/** Prices of new trucks in USD, by weight class. Sources: published new prices of 2023 and 2024. */
const NEW_PRICE: Readonly<Record<string, number>> = toTable({
  class_3: 62_000,
  class_4: 68_000,
  class_5: 78_000,
  class_6: 98_000,
  class_7: 118_000,
  class_8: 165_000,
});
const LOSS_PER_YEAR = 0.115;
const MIN_SHARE = 0.1;

/** Prices by body, relative to a plain truck. */
const BODY_FACTOR: Readonly<Record<string, number>> = toTable({
  cab_chassis: 0.8,
  cargo_van: 0.8,
  pickup: 0.9,
  refrigerated_truck: 1.2,
  dump: 1.3,
  tanker: 1.3,
  mixer: 1.4,
  bucket: 1.6,
  refuse: 1.6,
  sweeper: 1.8,
  digger_derrick: 2,
});
/** Bodies whose prices vary tenfold, so that there is no usual price. */
const ANY_PRICE: ReadonlySet<string> = new Set(
  toList(`
  boom_truck, hydro_excavator, vacuum, jetter, fire, crane, concrete_pump, wrecker, motorhome_chassis
`),
);

/** A price is suspicious if it is off by factor FAR and moving its decimal point brings it within factor NEAR. */
const FAR = 5;
const NEAR = 2.6;

export type PricedTruck = Pick<TruckFields, 'price' | 'year' | 'class' | 'body_type'>;

/** Returns the likely price if a digit is missing or too many; else null. */
function findLikelyPrice(truck: PricedTruck, currentYear: number): number | null {
  const { price } = truck;
  const usual = estimatePrice(truck, currentYear);
  if (price === null || usual === null) return null;
  const likely = price / usual >= FAR ? Math.round(price / 10) : price / usual <= 1 / FAR ? price * 10 : null;
  return likely !== null && likely / usual <= NEAR && usual / likely <= NEAR ? likely : null;
}

/** Estimates the usual price in USD; null if prices vary tenfold, or class or year is unknown. */
function estimatePrice(
  { year, class: truckClass, body_type: body }: PricedTruck,
  currentYear: number,
): number | null {
  const price = NEW_PRICE[truckClass ?? ''];
  if (price === undefined || year === null || ANY_PRICE.has(body ?? '')) return null;
  const share = Math.max(MIN_SHARE, Math.exp(-LOSS_PER_YEAR * ageInYears(year, currentYear)));
  return price * share * (BODY_FACTOR[body ?? ''] ?? 1);
}
