import type { ListingDoc } from '../../truck/listing/truck.ts';
import { isInDollars } from '../../truck/price/is-in-market.ts';
import { groupDigits } from '../../truck/text/text.ts';
import type { REASONS, Verdict } from '../schemas.ts';
import type { Comparable, findComparables, TruckTraits } from './market-comparables.ts';
import { computeMedian } from './market-figures.ts';
import { MILES } from './price-slopes.ts';

/** Judges a price by comparable trucks, with a confidence interval. */

const NEAR = 0.05;
const FAR = 0.15;
/** `at_market` needs an interval narrower than this to either side. */
const WIDEST = 0.25;
/** The usual spread of prices of similar trucks, and the number of trucks that this prior counts as. */
const USUAL_SPREAD = 0.1;
const PRIOR = 5;
/** Error of the fitted slopes, for each model year or 100,000 miles. */
const ADJUSTMENT_ERROR = 0.02;

type Comparison = Pick<ReturnType<typeof findComparables>, 'relaxed' | 'comparables'>;

/**
 * Judges a price. The interval is its distance from a fair price for the truck, in percent; null if the trucks may not be
 * alike. A verdict needs an interval entirely on one side of 0, and entirely beyond NEAR for `well_…`. `at_market` needs a
 * price close to the median and a narrow interval.
 */
export function judgePrice(price: number, subject: TruckTraits, comparison: Comparison) {
  if (explainUnlike(subject, comparison).length > 0)
    return { verdict: 'not_distinguishable', interval: null } as const;
  const comparables = balanceSellers(comparison.comparables);
  const logs = comparables.map(({ adjusted }) => Math.log(adjusted));
  const median = computeMedian(logs);
  const off = Math.log(price) - median;
  const reach = computeReach(logs, median, findAdjustmentError(subject, comparables));
  const percent = (log: number) => Math.round(100 * Math.expm1(log));
  return {
    verdict: chooseVerdict(off, reach),
    interval: { low: percent(off - reach), high: percent(off + reach) },
  };
}

/** Leaves out the least similar trucks of a seller who has more than all others together, so that no seller decides alone. */
function balanceSellers(comparables: readonly Comparable[]): readonly Comparable[] {
  const bySeller = Map.groupBy(comparables, ({ truck }) => truck.seller);
  const largest =
    [...bySeller.values()].find((sellerTrucks) => 2 * sellerTrucks.length > comparables.length) ?? [];
  const tooMany = new Set(largest.slice(comparables.length - largest.length));
  return comparables.filter((comparable) => !tooMany.has(comparable));
}

/** Returns the error of adjusting the median truck of these to the subject, as a logarithm. */
function findAdjustmentError({ year, mileage }: TruckTraits, comparables: readonly Comparable[]): number {
  const years = year - computeMedian(comparables.map(({ truck }) => truck.year));
  const miles = comparables.flatMap(({ truck }) => truck.mileage ?? []);
  const apart = mileage === null || miles.length === 0 ? 0 : (mileage - computeMedian(miles)) / MILES;
  return ADJUSTMENT_ERROR * Math.hypot(years, apart);
}

function chooseVerdict(off: number, reach: number): Verdict {
  const share = Math.expm1(off);
  const [low, high] = [Math.expm1(off - reach), Math.expm1(off + reach)];
  if (low > 0) return low > NEAR && share >= FAR ? 'well_above_market' : 'above_market';
  if (high < 0) return high < -NEAR && share <= -FAR ? 'well_below_market' : 'below_market';
  return Math.abs(share) <= NEAR && reach <= WIDEST ? 'at_market' : 'not_distinguishable';
}

/** Returns half of the 95 % interval of fair prices, as a logarithm. */
function computeReach(logs: readonly number[], median: number, adjustmentError: number): number {
  const n = logs.length;
  // The slopes were fitted to these very prices, so their spread is smaller than that of other trucks.
  const correction = (1.4826 * n) / Math.max(1, n - 2);
  const deviation = correction * computeMedian(logs.map((log) => Math.abs(log - median)));
  const spread = Math.sqrt((n * deviation ** 2 + PRIOR * USUAL_SPREAD ** 2) / (n + PRIOR));
  // Student's t at 97.5 %, and the median's own uncertainty.
  const t = 1.96 + 3.2 / Math.max(1, n - 1);
  return t * Math.hypot(spread * Math.sqrt(1 + Math.PI / 2 / n), adjustmentError);
}

export type Subject = TruckTraits & Pick<ListingDoc, 'price' | 'currency'>;
interface Reason {
  code: (typeof REASONS)[number];
  text: string;
}

/** Explains the verdict in words. `median` is the rounded one of the answer. */
export function explainPrice(subject: Subject, comparison: Comparison, median: number): Reason[] {
  return [
    explainDifference(subject, comparison.comparables.length, median),
    ...explainUnlike(subject, comparison),
  ];
}

function explainDifference(subject: Subject, count: number, median: number): Reason {
  const { price, currency } = subject;
  if (price === null)
    return { code: 'no_price', text: 'The truck has no price to compare (call for price).' };
  if (!isInDollars(subject))
    return {
      code: 'currency',
      text: `The price is in ${currency}: it is not compared with those of the market, which are in US dollars.`,
    };
  const off = Math.round((price / median - 1) * 100);
  const words = off === 0 ? 'the same' : `${Math.abs(off)} % ${off > 0 ? 'more' : 'less'}`;
  return {
    code: 'price',
    text: `The median of ${count} comparable trucks, adjusted to its model year and mileage, is $${groupDigits(median)}; this one asks $${groupDigits(price)}, ${words}.`,
  };
}

/** Lists missing facts of the truck, or of the comparable ones, because of which they may not be alike. */
function explainUnlike(subject: TruckTraits, { relaxed, comparables }: Comparison): Reason[] {
  const unknownMileages = comparables.filter(({ truck }) => truck.mileage === null).length;
  const isUsed = subject.condition === 'used';
  const send = (fact: string, field: string) => `The ${fact} of this truck is not known: send ${field}.`;
  const checks: [Reason['code'], boolean, string][] = [
    ['condition', subject.condition === '', send('condition, new or used,', 'condition')],
    ['class', subject.truckClass === '', send('weight class', 'class or gvwr')],
    ['body', subject.body === '' || subject.body === 'other', send('body', 'body_type')],
    ['model', subject.model === '', send('model', 'model')],
    [
      'model',
      relaxed.includes('model'),
      'Comparable trucks are of other models: there are too few of this one.',
    ],
    [
      'cab',
      relaxed.includes('cab'),
      'The cab of this truck, or of the comparable ones, is not known: send cab.',
    ],
    ['mileage', isUsed && subject.mileage === null, send('mileage', 'mileage')],
    [
      'mileage',
      isUsed && 2 * unknownMileages > comparables.length,
      'The mileage of most comparable trucks is not known.',
    ],
  ];
  return checks.flatMap(([code, isMissing, text]) =>
    isMissing ? [{ code, text: `${text} So there is no verdict.` }] : [],
  );
}
