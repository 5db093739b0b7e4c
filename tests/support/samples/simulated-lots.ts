import type { Verdict } from '../../../lib/contract/market/market-words.ts';
import { type Candidate, findComparables } from '../../../lib/domain/market/market-comparables.ts';
import { roundTo, STEPS } from '../../../lib/domain/market/market-rule.ts';
import { judgePrice } from '../../../lib/domain/market/market-verdict.ts';
import { explainSuspiciousPrice } from '../../../lib/domain/price/price-envelope.ts';

/** Lots of trucks whose worth is known, to see what verdicts are worth. */

/** A fixed stream of random numbers (mulberry32): the same lots in every run. */
export function randomStream(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Kinds of trucks that stand on the same lots; the subject is of the first. */
export const MIXES = {
  'sleepers among day cabs': ['sleeper_tractor', 'day_cab_tractor'],
  'dump trucks among cab-chassis': ['dump', 'cab_chassis'],
  'cab-chassis among bodied trucks': ['cab_chassis', 'bucket', 'dump'],
  'flatbeds among stake beds': ['flatbed', 'stake_bed'],
  'new trucks among used ones': ['sleeper_tractor', 'sleeper_tractor'],
  'used trucks among new ones': ['box_truck', 'box_truck'],
} as const;
export type Mix = keyof typeof MIXES;

const WORTH: Readonly<Record<string, number>> = {
  sleeper_tractor: 75_000,
  day_cab_tractor: 55_000,
  dump: 95_000,
  cab_chassis: 58_000,
  bucket: 130_000,
  flatbed: 60_000,
  stake_bed: 58_000,
  box_truck: 50_000,
};
const CURRENT_YEAR = 2026;
/** What sellers ask for trucks of the same worth, as a logarithm: 95 % lie within ±15 %. */
const SCATTER = 0.075;
const MISTYPED = 0.1;

/** The verdict on a truck that asks `factor` times what it is worth, give or take the scatter of all prices. */
export function judgeSimulated(
  random: () => number,
  mix: Mix,
  comparables: number,
  factor: number,
): Verdict | null {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const [perYear, per100kMiles] = [0.05 + random() * 0.09, -0.02 - random() * 0.1];
  const truck = (body: string, condition: string): Candidate => {
    const year = 2018 + Math.floor(random() * 5);
    const mileage = Math.round((CURRENT_YEAR - year) * 60_000 * (0.5 + random()));
    const premium = condition === 'new' ? 1.5 : 1;
    const worth =
      (WORTH[body] ?? 0) *
      premium *
      Math.exp(perYear * (year - 2020) + (per100kMiles * (mileage - 360_000)) / 100_000);
    const cab = body === 'sleeper_tractor' ? 'sleeper' : body === 'day_cab_tractor' ? 'day' : '';
    const kind = { body, cab, condition, model: 'M', truckClass: 'class_8', state: '' };
    const seller = `seller ${Math.floor(random() * 6)}`;
    return { ...kind, seller, year, mileage, price: Math.round(worth * Math.exp(SCATTER * normal())) };
  };
  const [own, ...others] = MIXES[mix];
  const isNew = mix === 'new trucks among used ones';
  const conditions = isNew
    ? ['new', 'used']
    : mix === 'used trucks among new ones'
      ? ['used', 'new']
      : ['used', 'used'];
  const [condition = '', otherCondition = ''] = conditions;
  const alike = Array.from({ length: comparables }, () => truck(own, condition));
  const foreign = Array.from({ length: comparables }, (_, n) =>
    truck(others[n % others.length] ?? own, otherCondition),
  );
  const listed = [...alike, ...foreign].flatMap((each) => mistype(each, random));
  const subject = truck(own, condition);
  const price = Math.round(subject.price * factor);
  const found = findComparables(subject, listed).comparables.map(({ adjusted }) => adjusted);
  return found.length < 5 ? null : judgePrice(price, found).verdict;
}

/** As the market has it: a tenth is mistyped, what is suspicious is left out, and the rest is rounded. */
function mistype(truck: Candidate, random: () => number): Candidate[] {
  const wrong = random() < MISTYPED;
  const price = wrong ? Math.round(truck.price * (random() < 0.5 ? 10 : 0.1)) : truck.price;
  const record = { ...truck, price, class: truck.truckClass, body_type: truck.body, confirmed_price: null };
  if (explainSuspiciousPrice(record, CURRENT_YEAR) !== null) return [];
  const mileage = truck.mileage === null ? null : roundTo(truck.mileage, STEPS.mileage);
  return [{ ...truck, price: roundTo(price, STEPS.price), mileage }];
}
