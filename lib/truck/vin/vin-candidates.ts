import { toTable } from '../text/table.ts';
import { CHARACTER_VALUES, computeCheckDigit, hasVinCharacters, POSITION_WEIGHTS } from './vin.ts';

/** VINs with a correct check digit that are one slip away from a wrong one. */

export interface VinCandidate {
  vin: string;
  because: string;
  /** The first position that differs, from 0. */
  at: number;
  slip: 'most alike' | 'alike' | 'other' | 'swapped';
}

/** Characters that are confused most often, in print and in writing. */
const MOST_ALIKE = toPairs('8B 5S 2Z 1L 17 6G 0D UV VY MN 38 49 68 06 08 35 56 PR EF 4A 7Z');
/** Characters that are also confused by eye, by ear or on the keyboard. */
const ALIKE = toPairs(
  '8B 5S 2Z 1L 6G 0D 0C UV VY VW MN KX 38 17 49 EF CG PR A4 7T 7Z 4H 06 08 69 68 56 35 89 BD BP BE PB DP TD CT AH GB JA K8 A8 XK NH HN UN 12 23 34 45 67 78 90 14 25 36 47 58 ZS FT FP LI',
);

function toPairs(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').flatMap(([one = '', other = '']) => [one + other, other + one]));
}

function compareCharacters(char: string, other: string): VinCandidate['slip'] {
  if (MOST_ALIKE.has(char + other)) return 'most alike';
  return ALIKE.has(char + other) ? 'alike' : 'other';
}

const CHECK_DIGIT_AT = 8;

/** Returns what a character adds to the sum, which 11 divides if the check digit, subtracted, is correct. */
function computeWorth(char: string, at: number): number {
  if (at === CHECK_DIGIT_AT) return char === 'X' ? -10 : -Number(char);
  return (POSITION_WEIGHTS[at] ?? 0) * (CHARACTER_VALUES.get(char) ?? 0);
}

/** Lists all candidates with a correct check digit, a valid serial number, and a year in position 10. */
export function listVinCandidates(vin: string): VinCandidate[] {
  return [...vin]
    .flatMap((char, at) => [...listReplacements(vin, char, at), ...listSwaps(vin, char, at)])
    .filter(isPlausible);
}

/** The last four are digits by law (49 CFR 565.15); position 10 is never U or Z. */
const isPlausible = ({ vin }: VinCandidate) => /\d{4}$/.test(vin) && !/^.{9}[UZ0]/.test(vin);

function listReplacements(vin: string, char: string, at: number): VinCandidate[] {
  const rest = [...vin].reduce(
    (sum, each, place) => (place === at ? sum : sum + computeWorth(each, place)),
    0,
  );
  return [...CHARACTER_VALUES.keys()]
    .filter((other) => other !== char && (rest + computeWorth(other, at)) % 11 === 0)
    .map((other) => ({
      vin: vin.slice(0, at) + other + vin.slice(at + 1),
      because: `position ${at + 1} is ${other} instead of ${char}`,
      at,
      slip: compareCharacters(char, other),
    }));
}

function listSwaps(vin: string, char: string, at: number): VinCandidate[] {
  const swapped = vin.slice(0, at) + vin.charAt(at + 1) + char + vin.slice(at + 2);
  if (swapped === vin || computeCheckDigit(swapped) !== swapped.charAt(CHECK_DIGIT_AT)) return [];
  return [{ vin: swapped, because: `positions ${at + 1} and ${at + 2} are swapped`, at, slip: 'swapped' }];
}

/** Letters that VINs do not have, and the characters that they are confused with. */
const LACKING: Readonly<Record<string, string>> = toTable({ O: '0D', Q: '09', I: '1L' });
const MAX_READINGS = 16;

/** Replaces O, I and Q in a VIN: all results with a correct check digit, digits first. */
export function replaceLackingLetters(vin: string): string[] {
  let readings = [''];
  for (const char of vin) {
    const choices = [...(LACKING[char] ?? char)].slice(0, readings.length < MAX_READINGS ? 2 : 1);
    readings = choices.flatMap((choice) => readings.map((reading) => reading + choice));
  }
  return readings.filter((reading) => hasVinCharacters(reading) && computeCheckDigit(reading) === reading[8]);
}
