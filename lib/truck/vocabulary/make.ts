import { indexNearWords, type NearWord } from '../names/near-miss.ts';
import { remember } from '../text/remember.ts';
import { toList } from '../text/table.ts';
import { capitalize, foldKey, isPlaceholder } from '../text/text.ts';
import { plainText, toTokens } from '../text/tokens.ts';
import { MAKES } from './makes.ts';
import { toPhrases } from './phrases.ts';
import { SERIES } from './series.ts';

export interface CanonicalMake {
  make: string;
  /** True if the spelling was not in the table and the nearest make was chosen. */
  corrected: boolean;
  /** Text after the make, usually its model. */
  rest?: string;
}

const KNOWN: ReadonlyMap<string, string> = new Map(
  Object.entries(MAKES).flatMap(([make, aliases]) =>
    [make, ...aliases].map((alias) => [foldKey(alias), make] as const),
  ),
);
const findNear = indexNearWords(() => KNOWN.keys(), 2);

/** Words of company names, which are ignored. */
const COMPANY = new Set(
  'truck trucks motor motors company co corp corporation inc llc ltd sa de cv usa us america american of north mexico canada commercial vehicles vehicle group division dealer chassis engine mfg manufacturing and the'.split(
    ' ',
  ),
);

/**
 * Returns the canonical make of a text: the make with this spelling, with or without company words; else the make at the
 * beginning of the text; else the only make with a spelling within Damerau-Levenshtein distance 2 (7 or more letters) or 1 (5
 * or 6). Unknown makes get one spelling of case and punctuation: `Iron Horse`. Idempotent.
 *
 * @param text one clean line
 * @param vin decides between makes that share a spelling
 */
export function canonicalMake(text: string, vin = ''): CanonicalMake {
  const spelling = findSpelling(text);
  if (spelling !== null) return { make: findMake(spelling, vin), corrected: false };
  const leading = readLeadingMake(text, vin);
  if (leading !== null) return leading;
  const words = listNameWords(text);
  const nearest = findNearestSpelling(foldKey(words.join('')));
  return nearest === null
    ? { make: spellUnknown(words) || text, corrected: false }
    : { make: findMake(nearest, vin), corrected: true };
}

const listNameWords = (text: string) => toTokens(plainText(text)).filter((token) => !COMPANY.has(token));

/** `Freightliner (Daimler)` */
const ASIDE = /\([^()]*\)/;

const findSpelling = remember((text): string | null => {
  const withoutAside = text.replace(ASIDE, ' ');
  return (
    [plainText(withoutAside), listNameWords(withoutAside).join('')]
      .map(foldKey)
      .find((spelling) => KNOWN.has(spelling)) ?? null
  );
});

/** Unknown makes of up to this many letters are abbreviations. */
const MAX_ABBREVIATION = 4;

function spellUnknown(words: readonly string[]): string {
  const name = words.join('');
  if (name.length <= MAX_ABBREVIATION) return name.toUpperCase();
  return words.map(capitalize).join(' ');
}

const RUBBISH = /^(?:A|OTHER|MISC|VARIOUS|XX+|0+|SELECT(?:MAKE|ONE)?|MAKE|TEST)$/;

/** True for placeholders instead of a make: `N/A`, `TBD`, `-`. */
export const isNoMake = (text: string): boolean => {
  const plain = plainText(text);
  return isPlaceholder(plain) || RUBBISH.test(foldKey(plain));
};

/** Makes that are also ordinary words, and no make in front of another word. */
const ORDINARY = new Set(
  toList('WHITE, RIDE, INT, IC, IH, MB, PB, CAPACITY, LION, THOMAS, FREIGHT, CAT, FL, INTER, AUTO'),
);
/** Makes, and model series that imply one: `F-550`, `Silverado`. */
const MAKE_PHRASES = toPhrases(() => [
  ...[...KNOWN.keys()]
    .filter((spelling) => !ORDINARY.has(spelling))
    .map((spelling) => [spelling, spelling] as const),
  ...Object.entries(SERIES).flatMap(([make, names]) =>
    names.split(', ').map((name) => [name, foldKey(make)] as const),
  ),
]);

/** Reads the make at the beginning of a text: `Ford F-550 Super Duty`, or `F-550` alone. */
function readLeadingMake(text: string, vin: string): CanonicalMake | null {
  const tokens = toTokens(plainText(text).replace(/^(?:(?:19|20)\d\d|new|used|the) /, ''));
  const phrase = MAKE_PHRASES.startingAt(tokens, 0);
  if (phrase === null) return null;
  const make = findMake(phrase.value, vin);
  const isSeries = !KNOWN.has(foldKey(tokens.slice(0, phrase.count).join('')));
  const behind = isSeries ? tokens : tokens.slice(phrase.count).filter((token) => !COMPANY.has(token));
  if (behind.length === 0) return { make, corrected: false };
  if (isSeries && !tokens.slice(phrase.count).every((token) => isModel([token]))) return null;
  return isModel(behind) ? { make, corrected: true, rest: sliceFrom(text, behind, isSeries ? 0 : 1) } : null;
}

/** True for words with a number, or with a make or series. */
const isModel = (tokens: readonly string[]) =>
  tokens.some((token) => /\d/.test(token)) || MAKE_PHRASES.all(tokens).length > 0;

/** Returns a text from the first of `tokens` on, in its original case. */
function sliceFrom(text: string, [first = '']: readonly string[], from: number): string {
  const words = text.split(/[\s/,]+/);
  const at = words.findIndex((word, place) => place >= from && plainText(word).startsWith(first));
  return words.slice(Math.max(at, 0)).join(' ');
}

/** Finds the first make that a text names, or implies by a model series; else null. */
export function findFirstMake(text: string, vin = ''): string | null {
  const { make } = canonicalMake(text, vin);
  if (isKnownMake(make)) return make;
  const [phrase] = MAKE_PHRASES.all(toTokens(text));
  return phrase ? findMake(phrase.value, vin) : null;
}

export const isKnownMake = (make: string): boolean => Object.hasOwn(MAKES, make);

/** Spellings that mean another make if the VIN begins in this way. */
const BY_VIN: ReadonlyMap<string, readonly (readonly [begins: RegExp, make: string])[]> = new Map([
  ['GM', [[/^1G[BC]/, 'Chevrolet']]],
  ['GENERALMOTORS', [[/^1G[BC]/, 'Chevrolet']]],
  ['MITSUBISHI', [[/^(?:JA|4A|ML)/, 'Mitsubishi']]],
  [
    'SPRINTER',
    [
      [/^WD[YP]/, 'Freightliner'],
      [/^WD[X0]/, 'Dodge'],
    ],
  ],
  ['DODGERAM', [[/^[123][BD]/, 'Dodge']]],
]);

const findMake = (spelling: string, vin: string): string =>
  BY_VIN.get(spelling)?.find(([begins]) => begins.test(vin))?.[1] ?? KNOWN.get(spelling) ?? spelling;

/** A consumer make that would be corrected to Ferrara. */
const NOT_MISSPELLED = 'FERRARI';

const findNearestSpelling = remember((key): string | null => {
  if (key === NOT_MISSPELLED) return null;
  const neighbors = findNear(key).filter((word) => isSlip(key, word));
  const least = Math.min(...neighbors.map(({ distance }) => distance));
  const nearest = neighbors.filter(({ distance }) => distance === least);
  const [winner, ...others] = new Map(nearest.map(({ word }) => [KNOWN.get(word), word])).values();
  return winner !== undefined && others.length === 0 ? winner : null;
});

/** In four letters, only two swapped ones count as a slip: `Frod`. */
function isSlip(key: string, { word, distance }: NearWord): boolean {
  const letters = Math.min(word.length, key.length);
  if (letters < 5) return distance === 1 && key.length === 4 && sortLetters(word) === sortLetters(key);
  return distance <= (letters >= 7 ? 2 : 1);
}

const sortLetters = (text: string) => [...text].sort().join('');
