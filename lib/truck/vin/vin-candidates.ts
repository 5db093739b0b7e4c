import { toTable } from '../text/table.ts';
import { CHARACTER_VALUES, computeCheckDigit, hasVinCharacters, POSITION_WEIGHTS } from './vin.ts';

/** What a VIN with a wrong check digit may have been: one slip away, and with a right one. */

export interface VinCandidate {
  vin: string;
  because: string;
  /** The first position that differs, from 0. */
  at: number;
  slip: 'most alike' | 'alike' | 'other' | 'swapped';
}

/** Characters that are taken for each other most of all, in print and in writing. */
const MOST_ALIKE = toPairs('8B 5S 2Z 1L 17 6G 0D UV VY MN 38 49 68 06 08 35 56 PR EF 4A 7Z');
/** Others that are by eye, by ear or by the finger beside. */
const ALIKE = toPairs(
  '8B 5S 2Z 1L 6G 0D 0C UV VY VW MN KX 38 17 49 EF CG PR A4 7T 7Z 4H 06 08 69 68 56 35 89 BD BP BE PB DP TD CT AH GB JA K8 A8 XK NH HN UN 12 23 34 45 67 78 90 14 25 36 47 58 ZS FT FP LI',
);

function toPairs(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').flatMap(([one = '', other = '']) => [one + other, other + one]));
}

function compareCharacters(sent: string, other: string): VinCandidate['slip'] {
  if (MOST_ALIKE.has(sent + other)) return 'most alike';
  return ALIKE.has(sent + other) ? 'alike' : 'other';
}

/** All with a right check digit, serial numbers as they are given out, and a year in position 10. */
export function vinCandidates(vin: string): VinCandidate[] {
  return [...replacements(vin), ...swaps(vin)].filter(({ vin: other }) => isPlausible(other));
}

/** The last four are digits by law (49 CFR 565.15); position 10 is never U or Z. */
const isPlausible = (vin: string) => /\d{4}$/.test(vin) && !/^.{9}[UZ0]/.test(vin);

const total = (vin: string) =>
  POSITION_WEIGHTS.reduce((sum, weight, at) => sum + weight * (CHARACTER_VALUES.get(vin.charAt(at)) ?? 0), 0);

const checkValue = (char: string) => (char === 'X' ? 10 : /\d/.test(char) ? Number(char) : -1);

function* replacements(vin: string): Generator<VinCandidate> {
  const sum = total(vin);
  const check = checkValue(vin.charAt(8));
  const right = sum % 11 === 10 ? 'X' : String(sum % 11);
  yield {
    vin: `${vin.slice(0, 8)}${right}${vin.slice(9)}`,
    because: `position 9 is ${right}, the check digit of the others`,
    at: 8,
    slip: compareCharacters(vin.charAt(8), right),
  };
  for (let at = 0; at < vin.length; at += 1) {
    const char = vin.charAt(at);
    const weight = POSITION_WEIGHTS[at] ?? 0;
    if (weight === 0) continue;
    for (const [other, value] of CHARACTER_VALUES) {
      if (other === char || (sum + weight * (value - (CHARACTER_VALUES.get(char) ?? 0))) % 11 !== check)
        continue;
      const because = `position ${at + 1} is ${other} instead of ${char}`;
      const slip = compareCharacters(char, other);
      yield { vin: vin.slice(0, at) + other + vin.slice(at + 1), because, at, slip };
    }
  }
}

function* swaps(vin: string): Generator<VinCandidate> {
  for (let at = 0; at + 1 < vin.length; at += 1) {
    const [one, other] = [vin.charAt(at), vin.charAt(at + 1)];
    if (one === other) continue;
    const swapped = vin.slice(0, at) + other + one + vin.slice(at + 2);
    if (total(swapped) % 11 !== checkValue(swapped.charAt(8))) continue;
    yield { vin: swapped, because: `positions ${at + 1} and ${at + 2} are swapped`, at, slip: 'swapped' };
  }
}

/** Letters that VINs do not have, and what they are seen in place of. */
const LACKING: Readonly<Record<string, string>> = toTable({ O: '0D', Q: '09', I: '1L' });
const MAX_READINGS = 16;

/** What a VIN with O, I or Q in it may be: all with a right check digit, digits first. */
export function withoutLackingLetters(vin: string): string[] {
  let readings = [''];
  for (const char of vin) {
    const choices = [...(LACKING[char] ?? char)].slice(0, readings.length < MAX_READINGS ? 2 : 1);
    readings = choices.flatMap((choice) => readings.map((reading) => reading + choice));
  }
  return readings.filter((reading) => hasVinCharacters(reading) && computeCheckDigit(reading) === reading[8]);
}
