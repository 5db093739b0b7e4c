import { once } from '../text/remember.ts';

/** An unknown member, and the known one that it probably means. */
interface NearMiss {
  unknownName: string;
  knownName: string;
}

/** Shorter names are not corrected: `fax` is no slip of `tax`. */
const MIN_SLIP_LENGTH = 4;
const MIN_TWO_SLIPS_LENGTH = 8;
const MAX_SLIPS = 2;
/** Further members are not checked. */
const MAX_MEMBERS = 100;
const MAX_NAME_LENGTH = 80;

/**
 * Finds the first member whose name is a known one in another spelling (camelCase, hyphens, capitals) or with one or two
 * slips. Known members that were sent too do not count.
 */
export function findNearMiss(body: object, knownNames: readonly string[]): NearMiss | null {
  const absent = knownNames.filter((name) => !Object.hasOwn(body, name));
  for (const unknownName of Object.keys(body).slice(0, MAX_MEMBERS)) {
    if (knownNames.includes(unknownName)) continue;
    const knownName = absent.find((name) => isNearMiss(unknownName, name));
    if (knownName !== undefined) return { unknownName, knownName };
  }
  return null;
}

const normalise = (name: string) => name.toLowerCase().replaceAll(/[_\s-]/g, '');

/** Slips hardly ever hit the first letter, and a digit at the end numbers another field (`phone2`). */
function isNearMiss(member: string, name: string): boolean {
  if (member.length > MAX_NAME_LENGTH) return false;
  const [left, right] = [normalise(member), normalise(name)];
  if (left === right) return true;
  if (right.length < MIN_SLIP_LENGTH || left[0] !== right[0]) return false;
  if (/\d$/.test(left) && left.at(-1) !== right.at(-1)) return false;
  const slips = right.length < MIN_TWO_SLIPS_LENGTH ? 1 : MAX_SLIPS;
  return editDistance(left, right, slips) <= slips;
}

/**
 * Damerau-Levenshtein, optimal string alignment: insert, delete, replace, swap of neighbours. Distances above `max` are
 * all returned as `max + 1`.
 */
export function editDistance(left: string, right: string, max = Number.POSITIVE_INFINITY): number {
  if (Math.abs(left.length - right.length) > max) return max + 1;
  let twoBack: number[] = [];
  let back = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= right.length; j++) {
      const substitution = left[i - 1] === right[j - 1] ? 0 : 1;
      let cost = Math.min((back[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (back[j - 1] ?? 0) + substitution);
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (swapped) cost = Math.min(cost, (twoBack[j - 2] ?? 0) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > max) return max + 1;
    twoBack = back;
    back = row;
  }
  return back[right.length] ?? 0;
}

/** A word of a vocabulary, and its distance in slips. */
export interface NearWord {
  word: string;
  distance: number;
}

/**
 * Makes the function that returns the words of a vocabulary within so many slips of a text, of those that begin with the
 * same letter: slips hardly ever hit the first. Nothing is built before the first look-up.
 */
export function indexNearWords(
  listWords: () => Iterable<string>,
  maxSlips: 1 | 2,
): (text: string) => NearWord[] {
  const byLetter = once(() => Map.groupBy(new Set(listWords()), (word) => word.charAt(0)));
  return (text) =>
    (byLetter().get(text.charAt(0)) ?? [])
      .map((word) => ({ word, distance: editDistance(text, word, maxSlips) }))
      .filter(({ distance }) => distance <= maxSlips);
}
