import type { TruckFields } from '../record/record.ts';
import { toList } from '../record/to-list.ts';
import { toTable } from '../text/table.ts';
import { ageInYears } from '../text/year.ts';

/** What trucks of a class, age and body usually ask: good enough to notice a price with a digit too many or too few. */

/** New, in USD, by weight class. Sources: published new prices of 2023 and 2024. */
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

/** How much dearer or cheaper than a plain truck, by body. */
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
/** Of these, one costs ten times another. */
const ANY_PRICE: ReadonlySet<string> = new Set(
  toList(`
  boom_truck, hydro_excavator, vacuum, jetter, fire, crane, concrete_pump, wrecker, motorhome_chassis
`),
);

/** A price so far from the usual one is doubted, if moving the decimal point brings it near. */
const FAR = 5;
const NEAR = 2.6;

export type PricedTruck = Pick<TruckFields, 'price' | 'year' | 'class' | 'body_type'>;

/** The price that was probably meant, when a digit is missing or too many; null when nothing is odd. */
export function likelyPrice(truck: PricedTruck, currentYear: number): number | null {
  const { price } = truck;
  const usual = usualPrice(truck, currentYear);
  if (price === null || usual === null) return null;
  const likely = price / usual >= FAR ? Math.round(price / 10) : price / usual <= 1 / FAR ? price * 10 : null;
  return likely !== null && likely / usual <= NEAR && usual / likely <= NEAR ? likely : null;
}

/** What such a truck usually asks, in USD; null where one costs ten times another, or nothing tells. */
export function usualPrice(
  { year, class: truckClass, body_type: body }: PricedTruck,
  currentYear: number,
): number | null {
  const price = NEW_PRICE[truckClass ?? ''];
  if (price === undefined || year === null || ANY_PRICE.has(body ?? '')) return null;
  const share = Math.max(MIN_SHARE, Math.exp(-LOSS_PER_YEAR * ageInYears(year, currentYear)));
  return price * share * (BODY_FACTOR[body ?? ''] ?? 1);
}
