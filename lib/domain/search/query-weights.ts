import { LIMITS } from '../../contract/fields.ts';
import { WEIGHT_CLASSES } from '../vocabulary/weight-class.ts';
import { AT_LEAST, AT_MOST, type Take, TO } from './query-bounds.ts';

/** The weights of a query, as the classes that they mean: pounds are never money. */

const NUMBER = String.raw`(\d{1,3}(?:[, .]\d{3})+|\d{1,6}) ?(k\b|thousand\b|mil\b|mille\b)?`;
const POUNDS = String.raw`(?:lbs?\b\.?|pounds?\b|libras?\b|livres?\b|#)`;
const GROSS = String.raw`(?:gvwr?|gross(?: vehicle)? weight|pbv)\b`;
const WEIGHT = `[ -]?(?:${POUNDS}(?: (?:of |de )?(${GROSS}))?|(${GROSS}))`;
const BOUND = `(?:(${AT_MOST})|(${AT_LEAST}))`;
const START = String.raw`(?<![\w.,$])`;

const RANGE = new RegExp(`${START}${NUMBER}(?:[ -]?${POUNDS})? ?${TO} ?${NUMBER}${WEIGHT}`);
const BEHIND = new RegExp(`${START}(?:${BOUND} ?)?${NUMBER}${WEIGHT}`);
const BEFORE = new RegExp(`${START}(${GROSS}) ?(?:${BOUND} ?)?${NUMBER}(?:[ -]?${POUNDS})?`);
/** What of a truck lifts, carries or bears so much. */
const PART =
  /^[ -]*(?:crane|lift|winch|payload|capacity|boom|hoist|axle|front|rear|steer|spring|suspension|tow|pull)/;

/** `46k rears`, `12,000 lb front axle`: listings do not say them in a field. */
const AXLES = new RegExp(
  `${START}(?:\\d{1,2}[, .]\\d{3}|\\d{5}|\\d{1,2}(?:\\.\\d)? ?k)(?:[ -]?${POUNDS})?[ -](?:(?:front|rear|drive|steer|tag|pusher|lift)s?(?: (?:axle|end|diff)s?)?|axles?|diffs?)(?!\\w| load)`,
);
/** `84 CA`, `120" c/a`: cab to axle, not California. */
const CAB_TO_AXLE =
  /(?<![\w.,$])(?:(?:60|72|84|96|102|108|120|132|138|144|15[06]|162|168|174|180|186|192|198|204)(?: ?(?:["”]|in(?:ch(?:es)?)?\b))? ?(?:ca\b|c\/a|cab[ -]to[ -]axle\b))/;

/** Takes the weights out of a query and says which classes they mean. */
export function readWeights(take: Take, setClasses: (classes: readonly number[]) => void): void {
  const read = (weight: Weight, behind: string) => {
    // Less is the weight of a part, unless it is said to be the gross weight.
    const isPart = PART.test(behind) || (weight.max ?? weight.min ?? 0) < LIMITS.gvwrFloor;
    if (isPart && !weight.isGross) return false;
    const classes = classesWithin(weight);
    if (classes.length > 0) setClasses(classes);
    return classes.length > 0;
  };
  for (let axles = 0; axles < 2; axles += 1) take(AXLES, () => 'dropped');
  take(CAB_TO_AXLE, () => 'dropped');
  take(RANGE, ([low, lowScale, high, scale, ...gross], behind) => {
    const [min, max] = [toPounds(low, lowScale ?? scale), toPounds(high, scale)];
    return read({ min, max, isGross: isAny(gross) }, behind) || 'dropped';
  });
  take(BEFORE, ([gross, most, least, digits, scale], behind) => {
    const bounds = toBounds(toPounds(digits, scale), most, least);
    return read({ ...bounds, isGross: gross !== undefined }, behind) || 'dropped';
  });
  take(BEHIND, ([most, least, digits, scale, ...gross], behind) => {
    const bounds = toBounds(toPounds(digits, scale), most, least);
    // A part of so many pounds is looked for by its words.
    const otherwise = isAny([most, least, scale]) ? 'dropped' : false;
    return read({ ...bounds, isGross: isAny(gross) }, behind) || otherwise;
  });
}

interface Weight {
  min: number | null;
  max: number | null;
  isGross: boolean;
}

const isAny = (groups: readonly (string | undefined)[]) => groups.some((group) => group !== undefined);

function toBounds(pounds: number, most: string | undefined, least: string | undefined) {
  return { min: most === undefined ? pounds : null, max: least === undefined ? pounds : null };
}

function toPounds(digits = '', scale: string | undefined): number {
  return Number(digits.replace(/\D/g, '')) * (scale === undefined ? 1 : 1_000);
}

/** `under 26,001 lb` is up to Class 6; `over 26,000` is from Class 7. */
function classesWithin({ min, max }: Weight): number[] {
  if (min !== null && min === max)
    return WEIGHT_CLASSES.filter((row) => min >= row.min && min <= (row.max ?? min)).map((row) => row.class);
  const rows = WEIGHT_CLASSES.filter(
    (row) => (max === null || row.min < max) && (min === null || row.max === null || row.max > min),
  );
  return rows.map((row) => row.class);
}
