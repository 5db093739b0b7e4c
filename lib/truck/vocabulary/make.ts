import { indexNearWords, type NearWord } from '../names/near-words.ts';
import { toList } from '../record/to-list.ts';
import { remember } from '../text/remember.ts';
import { foldKey, isPlaceholder } from '../text/text.ts';
import { plainText, toTokens } from '../text/tokens.ts';
import { MAKES, NOT_MISSPELLED } from './makes.ts';
import { toPhrases } from './phrases.ts';
import { SERIES } from './series.ts';

/** What else is known of a truck when its make is ambiguous. */
export interface MakeHints {
  /** 17 characters; its WMI tells Chevrolet from GMC. */
  vin: string;
  /** Model year, null when unknown. */
  year: number | null;
  /** Class, GVWR or body says that this is a truck. */
  isTruck: boolean;
}

/** Of a make that stands alone. */
export const NO_HINTS: MakeHints = { vin: '', year: null, isTruck: true };

export interface CanonicalMake {
  make: string;
  /** The spelling was not in the table and was taken for the nearest make. */
  corrected: boolean;
  /** What stood behind the make: its model, as a rule. */
  rest?: string;
}

const TRAILING =
  /(?:TRUCKS?|MOTORS?(?:CO)?|COMPANY|CORP(?:ORATION)?|INC|LLC|LTD|NORTHAMERICA|OFAMERICA|USA|VEHICLES?|MFG|MANUFACTURING)$/;
const KNOWN = spellings();
/** The spellings nearest to another, of those that are nothing but a name. */
const findNear = indexNearWords(
  () => [...KNOWN.keys()].filter((spelling) => !TRAILING.test(spelling) && !spelling.endsWith('COMMERCIAL')),
  2,
);

/** `Freightliner (Daimler)` */
const ASIDE = /\([^()]*\)/;

/**
 * The canonical make of a spelling: fold (NFKC, upper case, letters and digits only), look up, drop trailing company
 * words and look up again, then the make that the text begins with, then the nearest known spelling within
 * Damerau-Levenshtein distance 2 for 7 or more letters, 1 for 5 or 6, if only one make is that near. An unknown make
 * has one spelling of case and punctuation too, without company words: `Iron Horse`. Idempotent.
 *
 * @param text one clean line
 */
export function canonicalMake(text: string, hints: MakeHints): CanonicalMake {
  const spelling = spellingNamed(text) ?? spellingNamed(text.replace(ASIDE, ' '));
  if (spelling !== null) return { make: findMake(spelling, hints), corrected: false };
  const latin = plainText(text);
  const key = foldKey(latin);
  const leading = leadingMake(text, latin, hints);
  if (leading !== null) return leading;
  const name = bareName(key);
  const nearest = nearestSpelling(name);
  return nearest === null
    ? { make: spellUnknown(toTokens(latin), name || key) || text, corrected: false }
    : { make: findMake(nearest, hints), corrected: true };
}

/** Up to so many letters are an abbreviation. */
const MAX_ABBREVIATION = 4;

const capitalize = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`;

/** `name` is what is left of `tokens` without company words. Letters that stand alone are one word: `A.C.M.E.`. */
function spellUnknown(tokens: readonly string[], name: string): string {
  const words = tokens.filter((_, at) => foldKey(tokens.slice(0, at + 1).join('')).length <= name.length);
  const isWritten = foldKey(words.join('')) === name && words.every((word) => word.length > 1);
  if (words.length > 1 && isWritten) return words.map(capitalize).join(' ');
  return name.length <= MAX_ABBREVIATION ? name : capitalize(name);
}

const RUBBISH = /^(?:A|OTHER|MISC|VARIOUS|XX+|0+|SELECT(?:MAKE|ONE)?|MAKE|TEST)$/;

/** True for what stands where nobody knew the make: `N/A`, `TBD`, `-`. */
export const isNoMake = remember((text) => {
  const plain = plainText(text);
  return isPlaceholder(plain) || RUBBISH.test(foldKey(plain));
});

/** Words of a company's name, which are no model. */
const COMPANY = new Set(
  'truck trucks motor motors company co corp corporation inc llc ltd sa de cv usa us america american of north mexico canada commercial vehicles vehicle group division dealer chassis engine and the'.split(
    ' ',
  ),
);
/** Makes that are words of the language; in front of another word they are not taken for the make. */
const ORDINARY = new Set(
  toList(`
  WHITE, RIDE, INT, IC, IH, MB, PB, CAPACITY, LION, THOMAS, FREIGHT, CAT, FL, INTER, AUTO
`),
);
const MAKE_PHRASES = toPhrases(() => [
  ...[...KNOWN.keys()]
    .filter((spelling) => !ORDINARY.has(spelling))
    .map((spelling) => [spelling, spelling] as const),
  ...seriesPhrases(),
]);

/** Model series that stand for their make: `F-550`, `Silverado`. */
function seriesPhrases(): (readonly [string, string])[] {
  return Object.entries(SERIES).flatMap(([make, names]) =>
    names.split(', ').map((name) => [name, foldKey(make)] as const),
  );
}

/** `Ford F-550 Super Duty` is a Ford, and so is `F-550` alone. */
function leadingMake(text: string, latin: string, hints: MakeHints): CanonicalMake | null {
  const isLead = (token: string) => /^(?:19|20)\d\d$|^(?:new|used|the)$/.test(token);
  const tokens = toTokens(latin).filter((token, at) => !(at === 0 && isLead(token)));
  const found = MAKE_PHRASES.startingAt(tokens, 0);
  if (found === null) return null;
  const make = findMake(found.value, hints);
  const isSeries = !KNOWN.has(foldKey(tokens.slice(0, found.count).join('')));
  const behind = isSeries ? tokens : tokens.slice(found.count).filter((token) => !COMPANY.has(token));
  if (behind.length === 0) return { make, corrected: false };
  if (isSeries && !tokens.slice(found.count).every((token) => isModel([token]))) return null;
  return isModel(behind) ? { make, corrected: true, rest: asWritten(text, behind, isSeries ? 0 : 1) } : null;
}

/** A number, or a series that the make builds. */
const isModel = (tokens: readonly string[]) =>
  tokens.some((token) => /\d/.test(token)) || MAKE_PHRASES.all(tokens).length > 0;

/** The words of a text from the first of `tokens` on, in the case they were written in. */
function asWritten(text: string, [first = '']: readonly string[], from: number): string {
  const words = text.split(/[\s/,]+/);
  const at = words.findIndex((word, place) => place >= from && plainText(word).startsWith(first));
  return words.slice(Math.max(at, 0)).join(' ');
}

/** The first make that a text names, also by a model series or misspelled; null when it names none. */
export function firstMakeIn(text: string, hints: MakeHints): string | null {
  const whole = canonicalMake(text, hints);
  if (isKnownMake(whole.make)) return whole.make;
  const tokens = toTokens(text);
  const [found] = MAKE_PHRASES.all(tokens);
  if (found !== undefined) return findMake(found.value, hints);
  for (const token of tokens) {
    const nearest = nearestSpelling(foldKey(token));
    if (nearest !== null) return findMake(nearest, hints);
  }
  return null;
}

/** True for a model of a make that builds trucks only, though its name is also another's: a Fuso FE. */
export const isTruckModel = (model: string): boolean => /^(?:F[EGHKM]|CANTER)[- ]?\d|^CANTER/i.test(model);

export const isKnownMake = (make: string): boolean => Object.hasOwn(MAKES, make);

const spellingNamed = remember((text) => knownSpelling(foldKey(plainText(text))));

function findMake(spelling: string, hints: MakeHints): string {
  return AMBIGUOUS.get(spelling)?.(hints) ?? KNOWN.get(spelling) ?? spelling;
}

/** Spellings whose make depends on the rest of the record. */
const AMBIGUOUS: ReadonlyMap<string, (hints: MakeHints) => string> = new Map([
  ['GM', generalMotors],
  ['GENERALMOTORS', generalMotors],
  ['MITSUBISHI', ({ vin, isTruck }) => (isTruck || /^J[LW]6/.test(vin) ? 'Mitsubishi Fuso' : 'Mitsubishi')],
  ['SPRINTER', sprinter],
  ['DODGERAM', ({ year }) => (year !== null && year <= 2009 ? 'Dodge' : 'Ram')],
]);

function generalMotors({ vin }: MakeHints): string {
  return /^1G[BC]/.test(vin) ? 'Chevrolet' : 'GMC';
}

function sprinter({ vin }: MakeHints): string {
  if (/^WD[YP]/.test(vin)) return 'Freightliner';
  return /^WD[X0]/.test(vin) ? 'Dodge' : 'Mercedes-Benz';
}

function knownSpelling(key: string): string | null {
  for (let rest = key; ; ) {
    if (KNOWN.has(rest)) return rest;
    const shorter = rest.replace(TRAILING, '');
    if (shorter === rest) return null;
    rest = shorter;
  }
}

/** Without any company words: `MAN Trucks` must not come near `Ram Trucks` by the word they share. */
function bareName(key: string): string {
  const shorter = key.replace(TRAILING, '');
  return shorter === key ? key : bareName(shorter);
}

const nearestSpelling = remember(findNearest);

function findNearest(key: string): string | null {
  if (NOT_MISSPELLED.some((name) => name === key)) return null;
  const near = findNear(key).filter((found) => isSlip(key, found));
  const least = Math.min(...near.map(({ distance }) => distance));
  const nearest = near.filter(({ distance }) => distance === least);
  const [winner, ...others] = new Map(nearest.map(({ word }) => [KNOWN.get(word), word])).values();
  return winner !== undefined && others.length === 0 ? winner : null;
}

/** Four letters are too few for any slip but two that changed places: `Frod`. */
function isSlip(key: string, { word, distance }: NearWord): boolean {
  const letters = Math.min(word.length, key.length);
  if (letters < 5) return distance === 1 && key.length === 4 && sorted(word) === sorted(key);
  return distance <= (letters >= 7 ? 2 : 1);
}

const sorted = (text: string) => [...text].sort().join('');

function spellings(): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const [make, aliases] of Object.entries(MAKES)) {
    for (const alias of [make, ...aliases]) known.set(foldKey(alias), make);
  }
  return known;
}
