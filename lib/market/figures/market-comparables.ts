import { toComparableBody } from '../../truck/vocabulary/bodies.ts';
import { RELAXABLE, type Relaxed } from '../schemas.ts';
import { type FromSeller, findWithheld } from './market-rule.ts';
import { fitSlopes, MILES, type Slopes } from './price-slopes.ts';

/** Chooses comparable trucks and adjusts their prices to the subject. */

/** The traits by which two trucks are comparable. */
export interface TruckTraits {
  year: number;
  mileage: number | null;
  /** As toModelWord returns it; '' if unknown. */
  model: string;
  body: string;
  /** `sleeper`, `crew` and the like; '' if unknown. */
  cab: string;
  condition: string;
  truckClass: string;
}

export interface Candidate extends TruckTraits, FromSeller {
  vin: string;
  state: string;
  price: number;
}

export interface Comparable {
  truck: Candidate;
  /** The price adjusted to the subject's model year and mileage, in whole dollars. */
  adjusted: number;
  /** 0 to 100; 100 is the same model year and mileage. */
  similarity: number;
}

/** The most comparable trucks in an answer, and the most of one seller. */
const MAX_COMPARABLES = 30;
const MAX_OF_SELLER = MAX_COMPARABLES / 2;
/** The largest difference of model years. */
export const YEARS_APART = 3;
/** Slopes are fitted to the trucks nearest in model year and mileage. */
const MAX_FITTED = 150;

/** Returns `new` or `used`. A truck without a condition is used once its model year is over; until then it is ''. */
export function likelyCondition(condition: string | null, year: number, now: number): string {
  return condition || (year < new Date(now).getUTCFullYear() ? 'used' : '');
}

/** Chooses the trucks most similar to the subject, relaxing one trait after another until they pass the rule. */
export function findComparables(subject: TruckTraits, candidates: readonly Candidate[]) {
  let alike: Candidate[] = [];
  for (let widened = 0; widened <= RELAXABLE.length; widened += 1) {
    alike = candidates.filter((truck) => isAlike(subject, truck, RELAXABLE.slice(0, widened)));
    if (findWithheld(alike) === null) break;
  }
  const comparables = chooseNearest(subject, alike);
  return {
    comparables,
    considered: alike.length,
    withheld: findWithheld(alike),
    /** Traits in which some of the trucks differ from the subject. */
    relaxed: RELAXABLE.filter((name) => comparables.some(({ truck }) => truck[name] !== subject[name])),
  };
}

/** True if the trucks share condition, class, body family, and each trait that is not relaxed. */
function isAlike(subject: TruckTraits, truck: TruckTraits, relaxed: readonly Relaxed[]) {
  const isSameCab = subject.cab === truck.cab;
  // An unknown cab may be any; sleeper and day cab are never alike.
  const mayBeSameCab = isSameCab || subject.cab === '' || truck.cab === '';
  return (
    Math.abs(subject.year - truck.year) <= YEARS_APART &&
    subject.condition === truck.condition &&
    subject.truckClass === truck.truckClass &&
    toComparableBody(subject.body) === toComparableBody(truck.body) &&
    (relaxed.includes('body') || subject.body === truck.body) &&
    (relaxed.includes('cab') ? mayBeSameCab : isSameCab) &&
    (relaxed.includes('model') || subject.model === truck.model)
  );
}

/**
 * Returns the most similar trucks first. Equally similar trucks alternate between sellers, ordered by the ends of their
 * VINs: an order that followed prices would favor cheap trucks.
 */
function chooseNearest(subject: TruckTraits, alike: readonly Candidate[]) {
  const counts = new Map<string, number>();
  const nearest = alike
    .map((truck) => ({ truck, ending: [...truck.vin].reverse().join('') }))
    .sort((a, b) => (a.ending < b.ending ? -1 : 1))
    .map(({ truck }) => {
      const similarity = scoreSimilarity(subject, truck);
      const key = `${similarity} ${truck.seller}`;
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      return { truck, similarity, nth };
    })
    .sort((a, b) => b.similarity - a.similarity || a.nth - b.nth);
  const slopes = fitSlopes(nearest.slice(0, MAX_FITTED).map(({ truck }) => truck));
  const bySeller = Map.groupBy(nearest, ({ truck }) => truck.seller).values();
  const tooMany = new Set([...bySeller].flatMap((sellerTrucks) => sellerTrucks.slice(MAX_OF_SELLER)));
  return nearest
    .filter((near) => !tooMany.has(near))
    .slice(0, MAX_COMPARABLES)
    .map(({ truck, similarity }) => ({ truck, similarity, adjusted: adjustPrice(subject, truck, slopes) }));
}

/** Adjusts a price to the subject's model year, and to its mileage if both are known. */
function adjustPrice(subject: TruckTraits, { year, mileage, price }: Candidate, slopes: Slopes) {
  const miles = subject.mileage === null || mileage === null ? 0 : (subject.mileage - mileage) / MILES;
  return Math.round(price * Math.exp(slopes.perYear * (subject.year - year) + slopes.perMiles * miles));
}

function scoreSimilarity(subject: TruckTraits, truck: TruckTraits) {
  const years = Math.abs(subject.year - truck.year);
  const [own, other] = [subject.mileage, truck.mileage];
  const miles = own === null || other === null ? 1 : Math.abs(own - other) / MILES;
  return Math.round(100 * Math.exp(-0.25 * years - 0.35 * miles));
}
