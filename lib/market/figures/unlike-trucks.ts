import type { Relaxed } from '../market-words.ts';
import type { Alike, Comparable } from './market-comparables.ts';
import type { Slopes } from './price-slopes.ts';

/** What is not known of a truck, or of those that it is compared with, so that they may be worth quite different prices. */

export interface Found {
  relaxed: readonly Relaxed[];
  comparables: readonly Comparable[];
  /** Standard errors of what a model year and 100,000 miles change of a price. */
  errors: Slopes;
}

/** Why there can be no verdict, each with what to do; empty: the trucks are alike. */
export function explainUnlike(subject: Alike, { relaxed, comparables }: Found) {
  const unknownMileages = comparables.filter(({ truck }) => truck.mileage === null).length;
  const isUsed = subject.condition === 'used';
  const checks = [
    [
      'condition',
      subject.condition === '',
      'Whether this truck is new or used is not known: send condition.',
    ],
    ['class', subject.truckClass === '', 'The weight class of this truck is not known: send class or gvwr.'],
    ['body', UNKNOWN_BODIES.has(subject.body), 'The body of this truck is not known: send body_type.'],
    ['model', subject.model === '', 'The model of this truck is not known: send model.'],
    [
      'model',
      subject.model !== '' && relaxed.includes('model'),
      'There are too few trucks of this model: the comparable ones are other models.',
    ],
    [
      'cab',
      subject.cab !== '' && relaxed.includes('cab'),
      'The cabs of the comparable trucks are not known.',
    ],
    ['mileage', isUsed && subject.mileage === null, 'The mileage of this truck is not known: send mileage.'],
    [
      'mileage',
      isUsed && 2 * unknownMileages > comparables.length,
      'The mileage of most comparable trucks is not known.',
    ],
  ] as const;
  return checks.flatMap(([code, isMissing, text]) =>
    isMissing ? [{ code, text: `${text} So there is no verdict.` }] : [],
  );
}

const UNKNOWN_BODIES: ReadonlySet<string> = new Set(['', 'other']);
