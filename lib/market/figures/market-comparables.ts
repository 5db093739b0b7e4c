import { comparableBody } from '../../truck/vocabulary/bodies.ts';
import type { Relaxed } from '../schemas.ts';
import { type FromSeller, findWithheld } from './market-rule.ts';
import { adjustPrice, fitSlopes, MILES } from './price-slopes.ts';

/** Which trucks are comparable, and what they would cost were they this one. */

/** What decides whether two trucks can be compared. */
export interface Alike {
  year: number;
  mileage: number | null;
  /** As market data tells models apart; '' where not known. */
  model: string;
  body: string;
  /** `sleeper`, `crew` and the like; '' where not known. */
  cab: string;
  condition: string;
  truckClass: string;
}

export interface Candidate extends Alike, FromSeller {
  vin: string;
  state: string;
  price: number;
}

export interface Comparable {
  truck: Candidate;
  /** Its price brought to the subject's model year and mileage, whole dollars. */
  adjusted: number;
  /** 0 to 100; 100 is the same model year and mileage. */
  similarity: number;
}

/** Most comparables of an answer, and most of one seller. */
const MAX_COMPARABLES = 30;
const MAX_OF_SELLER = MAX_COMPARABLES / 2;
/** Slopes are fitted to the trucks nearest in model year and mileage. */
const MAX_FITTED = 150;
/** Model years to either side. */
export const YEARS_APART = 3;

/** What is widened, the least first: never condition or class, nor the body beyond its family. */
const STEPS_OF_WIDENING: readonly (readonly Relaxed[])[] = [
  [],
  ['body'],
  ['cab'],
  ['body', 'cab'],
  ['model'],
  ['body', 'model'],
  ['body', 'cab', 'model'],
];

/** `new` or `used`; what says neither is used once its model year is over, else ''. */
export function likelyCondition(condition: string | null, year: number, now: number): string {
  return condition || (year < new Date(now).getUTCFullYear() ? 'used' : '');
}

/** The trucks most like the subject by the narrowest choice that may be shown; else by the widest. */
export function findComparables(subject: Alike, candidates: readonly Candidate[]) {
  let relaxed: readonly Relaxed[] = [];
  let alike: Candidate[] = [];
  for (const step of STEPS_OF_WIDENING) {
    const found = candidates.filter((truck) => isAlike(subject, truck, step));
    if (found.length > alike.length || alike.length === 0) [relaxed, alike] = [step, found];
    if (findWithheld(alike) === null) break;
  }
  return { relaxed, considered: alike.length, withheld: findWithheld(alike), ...adjustAll(subject, alike) };
}

function isAlike(subject: Alike, truck: Alike, relaxed: readonly Relaxed[]): boolean {
  const isSameCab = subject.cab === truck.cab;
  // An unknown cab may be any; sleeper and day cab are never alike.
  const mayBeSameCab = isSameCab || subject.cab === '' || truck.cab === '';
  return (
    Math.abs(subject.year - truck.year) <= YEARS_APART &&
    subject.condition === truck.condition &&
    subject.truckClass === truck.truckClass &&
    comparableBody(subject.body) === comparableBody(truck.body) &&
    (relaxed.includes('body') || subject.body === truck.body) &&
    (relaxed.includes('cab') ? mayBeSameCab : isSameCab) &&
    (relaxed.includes('model') || subject.model === truck.model)
  );
}

function adjustAll(subject: Alike, alike: readonly Candidate[]) {
  const nearest = sortBySimilarity(subject, alike);
  const slopes = fitSlopes(nearest.slice(0, MAX_FITTED).map(({ truck }) => truck));
  const places = new Map<string, number>();
  const comparables: Comparable[] = nearest
    .filter(({ truck }) => count(places, truck.seller) <= MAX_OF_SELLER)
    .slice(0, MAX_COMPARABLES)
    .map((near) => ({ ...near, adjusted: adjustPrice(subject, near.truck, slopes) }));
  return { comparables, errors: slopes.errors };
}

/**
 * Most similar first. Equals come seller by seller in turns, each with his by the ends of their VINs: in the order of their
 * prices, the cheap ones would be chosen.
 */
function sortBySimilarity(subject: Alike, alike: readonly Candidate[]) {
  const turns = new Map<string, number>();
  return alike
    .map((truck) => ({ truck, ending: [...truck.vin].reverse().join('') }))
    .sort((a, b) => (a.ending < b.ending ? -1 : 1))
    .map(({ truck }) => {
      const similarity = scoreSimilarity(subject, truck);
      return { truck, similarity, turn: count(turns, `${similarity} ${truck.seller}`) };
    })
    .sort((a, b) => b.similarity - a.similarity || a.turn - b.turn)
    .map(({ truck, similarity }) => ({ truck, similarity }));
}

/** How often a key was counted, this time included. */
function count(counts: Map<string, number>, key: string): number {
  const counted = (counts.get(key) ?? 0) + 1;
  counts.set(key, counted);
  return counted;
}

function scoreSimilarity(subject: Alike, truck: Alike): number {
  const years = Math.abs(subject.year - truck.year);
  const known = subject.mileage !== null && truck.mileage !== null;
  const miles = known ? Math.abs((subject.mileage ?? 0) - (truck.mileage ?? 0)) / MILES : 1;
  return Math.round(100 * Math.exp(-0.25 * years - 0.35 * miles));
}
