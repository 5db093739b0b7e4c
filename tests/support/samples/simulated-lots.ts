import { type Candidate, findComparables } from '../../../lib/market/figures/market-comparables.ts';
import { findWithheld, roundTo, STEPS } from '../../../lib/market/figures/market-rule.ts';
import { judgePrice } from '../../../lib/market/figures/market-verdict.ts';
import type { Verdict } from '../../../lib/market/schemas.ts';
import { explainSuspiciousPrice } from '../../../lib/truck/price/price-envelope.ts';

/** Lots of trucks whose worth is known, to see what verdicts are worth. */

interface Lot {
  /** Bodies that stand on the same lots; the subject is of the first. */
  bodies: readonly [own: string, ...others: string[]];
  /** Of the subject and those alike, and of the others. */
  conditions?: readonly [own: string, others: string];
  /** What nobody states. */
  unstated?: 'body' | 'cab';
  /** Of each truck another model than the subject's; their worths differ by this standard deviation, as a logarithm. */
  models?: number;
  scatter?: number;
  /** How many more miles than such a truck usually has the subject has. */
  moreMiles?: number;
}

/** What sellers ask for trucks of the same worth, as a logarithm: 95 % lie within ±15 %. */
const SCATTER = 0.075;

export const MIXES = {
  'sleepers among day cabs': { bodies: ['sleeper_tractor', 'day_cab_tractor'] },
  'dump trucks among cab-chassis': { bodies: ['dump', 'cab_chassis'] },
  'cab-chassis among bodied trucks': { bodies: ['cab_chassis', 'bucket', 'dump'] },
  'flatbeds among stake beds': { bodies: ['flatbed', 'stake_bed'] },
  'new trucks among used ones': {
    bodies: ['sleeper_tractor', 'sleeper_tractor'],
    conditions: ['new', 'used'],
  },
  'used trucks among new ones': { bodies: ['box_truck', 'box_truck'], conditions: ['used', 'new'] },
  'prices twice as far apart': { bodies: ['sleeper_tractor', 'day_cab_tractor'], scatter: 2 * SCATTER },
  'far more miles than all others': { bodies: ['sleeper_tractor', 'day_cab_tractor'], moreMiles: 600_000 },
  'bodies that nobody states': { bodies: ['bucket', 'cab_chassis', 'dump'], unstated: 'body' },
  'cabs that nobody states': { bodies: ['sleeper_tractor', 'day_cab_tractor'], unstated: 'cab' },
  'nothing but other models': { bodies: ['dump', 'cab_chassis'], models: 0.25 },
} as const satisfies Record<string, Lot>;
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
  const mixture: Lot = MIXES[mix];
  const { bodies, conditions = ['used', 'used'], unstated, models = 0, scatter = SCATTER } = mixture;
  const modelWorths = Array.from({ length: 4 }, () => models * normal());
  let serial = 0;
  const truck = (body: string, condition: string, model: number, more = 0): Candidate => {
    const year = 2018 + Math.floor(random() * 5);
    const mileage = Math.round((CURRENT_YEAR - year) * 60_000 * (0.5 + random())) + more;
    const premium = condition === 'new' ? 1.5 : 1;
    const worth =
      (WORTH[body] ?? 0) *
      premium *
      Math.exp(
        perYear * (year - 2020) + (per100kMiles * (mileage - 360_000)) / 100_000 + (modelWorths[model] ?? 0),
      );
    return {
      body,
      cab: CABS[body] ?? '',
      condition,
      model: `M${model}`,
      truckClass: 'class_8',
      state: '',
      seller: `seller ${Math.floor(random() * 6)}`,
      vin: String(++serial),
      year,
      mileage,
      price: Math.round(worth * Math.exp(scatter * normal())),
    };
  };
  const [own, ...others] = bodies;
  const otherModel = (n: number) => (models === 0 ? 0 : 1 + (n % 3));
  const alike = Array.from({ length: comparables }, (_, n) => truck(own, conditions[0], otherModel(n)));
  const foreign = Array.from({ length: comparables }, (_, n) =>
    truck(others[n % others.length] ?? own, conditions[1], otherModel(n)),
  );
  const listed = [...alike, ...foreign].flatMap((each) => mistype(each, random)).map(hide(unstated));
  const subject = hide(unstated)(truck(own, conditions[0], 0, mixture.moreMiles));
  const comparison = findComparables(subject, listed);
  if (findWithheld(comparison.comparables.map((comparable) => comparable.truck)) !== null) return null;
  return judgePrice(Math.round(subject.price * factor), subject, comparison).verdict;
}

const CABS: Readonly<Record<string, string>> = { sleeper_tractor: 'sleeper', day_cab_tractor: 'day' };

/** A tractor of which only that is known has no cab. */
const hide =
  (unstated: Lot['unstated']) =>
  (truck: Candidate): Candidate => {
    if (unstated === 'body') return { ...truck, body: '' };
    return unstated === 'cab' ? { ...truck, body: 'tractor', cab: '' } : truck;
  };

/** As the market has it: a tenth is mistyped, what is suspicious is left out, and the rest is rounded. */
function mistype(truck: Candidate, random: () => number): Candidate[] {
  const isMistyped = random() < MISTYPED;
  const price = isMistyped ? Math.round(truck.price * (random() < 0.5 ? 10 : 0.1)) : truck.price;
  const record = { ...truck, price, class: truck.truckClass, body_type: truck.body, confirmed_price: null };
  if (explainSuspiciousPrice(record, CURRENT_YEAR) !== null) return [];
  const mileage = truck.mileage === null ? null : roundTo(truck.mileage, STEPS.mileage);
  return [{ ...truck, price: roundTo(price, STEPS.price), mileage }];
}
