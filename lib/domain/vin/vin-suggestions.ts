import { CHARACTER_VALUES, decodeModelYears, POSITION_WEIGHTS } from './vin.ts';

/** What a VIN with a wrong check digit may have been: one slip away, and with a right one. */

export interface VinSuggestion {
  vin: string;
  because: string;
}

/** Characters that are taken for each other by eye, by ear or by the finger beside. */
const CONFUSED = new Set(
  '8B 5S 2Z 1L 6G 0D 0C UV VY VW MN KX 38 17 49 EF CG PR A4 7T 7Z 4H 06 08 69 56 35 89 BD BP BE PB DP TD CT AH GB JA K8 A8 XK NH HN UN 12 23 34 45 67 78 90 14 25 36 47 58 ZS FT FP LI'
    .split(' ')
    .flatMap(([one = '', other = '']) => [one + other, other + one]),
);

interface Known {
  year: number | null;
  currentYear: number;
  /** The maker that the first three characters stand for is the record's. */
  isMakeRight: boolean;
  /** The tables know the model that positions 4 to 8 stand for. */
  isModelKnown: boolean;
}

interface Scored extends VinSuggestion {
  score: number;
}

const MAX_SUGGESTIONS = 5;

/** The likeliest first. */
export function suggestVins(vin: string, known: Known): VinSuggestion[] {
  const found = [...replacements(vin), ...swaps(vin)].filter(({ vin: other }) => isPlausible(other));
  return found
    .map((each) => ({ ...each, score: each.score + fitness(vin, each.vin, known) }))
    .sort((one, other) => other.score - one.score || (one.vin < other.vin ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ vin: suggested, because }) => ({ vin: suggested, because }));
}

/** The last four are digits by law (49 CFR 565.15); position 10 is never U or Z. */
const isPlausible = (vin: string) => /\d{4}$/.test(vin) && !/^.{9}[UZ0]/.test(vin);

function fitness(
  sent: string,
  other: string,
  { year, currentYear, isMakeRight, isModelKnown }: Known,
): number {
  const at = [...other].findIndex((char, place) => char !== sent.charAt(place));
  let score = 0;
  if (year !== null && decodeModelYears(other, currentYear).includes(year)) score += 4;
  if (at < 3) score += isMakeRight ? -4 : 3;
  else if (at < 8) score += isModelKnown ? -1 : 2;
  // In front of the serial number letters are rare, in it rarer.
  if (at >= 11 && !/^\d+$/.test(other.slice(11))) score -= 2;
  return score;
}

const total = (vin: string) =>
  POSITION_WEIGHTS.reduce((sum, weight, at) => sum + weight * (CHARACTER_VALUES.get(vin.charAt(at)) ?? 0), 0);

const checkValue = (char: string) => (char === 'X' ? 10 : /\d/.test(char) ? Number(char) : -1);

function* replacements(vin: string): Generator<Scored> {
  const sum = total(vin);
  const check = checkValue(vin.charAt(8));
  const right = sum % 11 === 10 ? 'X' : String(sum % 11);
  const withRight = `${vin.slice(0, 8)}${right}${vin.slice(9)}`;
  const isAlike = CONFUSED.has(vin.charAt(8) + right);
  yield {
    vin: withRight,
    score: isAlike ? 3 : 1,
    because: `position 9 is ${right}, the check digit of the others`,
  };
  for (let at = 0; at < vin.length; at += 1) {
    const char = vin.charAt(at);
    const weight = POSITION_WEIGHTS[at] ?? 0;
    if (weight === 0) continue;
    for (const [other, value] of CHARACTER_VALUES) {
      if (other === char || (sum + weight * (value - (CHARACTER_VALUES.get(char) ?? 0))) % 11 !== check)
        continue;
      const score = (CONFUSED.has(char + other) ? 3 : 0) + (/\d/.test(char) === /\d/.test(other) ? 1 : 0);
      const because = `position ${at + 1} is ${other} instead of ${char}`;
      yield { vin: vin.slice(0, at) + other + vin.slice(at + 1), score, because };
    }
  }
}

function* swaps(vin: string): Generator<Scored> {
  for (let at = 0; at + 1 < vin.length; at += 1) {
    const [one, other] = [vin.charAt(at), vin.charAt(at + 1)];
    if (one === other) continue;
    const swapped = vin.slice(0, at) + other + one + vin.slice(at + 2);
    if (total(swapped) % 11 !== checkValue(swapped.charAt(8))) continue;
    yield { vin: swapped, score: 4, because: `positions ${at + 1} and ${at + 2} are swapped` };
  }
}
