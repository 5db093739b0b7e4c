import { foldKey } from '../text/text.ts';
import { MAKES, MODELS_THAT_NAME_THE_MAKE, NOT_MISSPELLED } from './makes.ts';

/** What else is known of a truck when its make is ambiguous. */
export interface MakeHints {
  /** 17 characters; its WMI tells Chevrolet from GMC. */
  vin: string;
  /** Model year, null when unknown. */
  year: number | null;
  /** Class, GVWR or body says that this is a truck. */
  isTruck: boolean;
}

export interface CanonicalMake {
  make: string;
  /** The spelling was not in the table and was taken for the nearest make. */
  corrected: boolean;
}

const TRAILING = /(?:TRUCKS?|MOTORS?|COMPANY|CORP|INC|LLC|NORTHAMERICA|OFAMERICA|USA)$/;
const KNOWN = spellings();
/** Spellings that misspellings are measured against: those that are nothing but a name. */
const BARE = [...KNOWN].filter(([spelling]) => !TRAILING.test(spelling) && !spelling.endsWith('COMMERCIAL'));
const MISSPELLINGS = new Map<string, string | null>();
const REMEMBERED = 2_000;

/**
 * The canonical make of a spelling: fold (NFKC, upper case, letters and digits only), look up, drop trailing company
 * words and look up again, then the nearest known spelling within Damerau-Levenshtein distance 2 for 7 or more
 * letters, 1 for 5 or 6, if only one make is that near. An unknown make is kept as sent. Idempotent.
 *
 * @param text one clean line
 */
export function canonicalMake(text: string, hints: MakeHints): CanonicalMake {
  const key = foldKey(text);
  const spelling = knownSpelling(key);
  if (spelling !== null) return { make: findMake(spelling, hints), corrected: false };
  const nearest = nearestSpelling(bareName(key));
  return nearest === null
    ? { make: text, corrected: false }
    : { make: findMake(nearest, hints), corrected: true };
}

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

function nearestSpelling(key: string): string | null {
  const remembered = MISSPELLINGS.get(key);
  if (remembered !== undefined) return remembered;
  const spelling = findNearest(key);
  if (MISSPELLINGS.size >= REMEMBERED) MISSPELLINGS.clear();
  MISSPELLINGS.set(key, spelling);
  return spelling;
}

function findNearest(key: string): string | null {
  if (NOT_MISSPELLED.some((name) => name === key)) return null;
  let best = Number.POSITIVE_INFINITY;
  let winners = new Map<string, string>();
  for (const [spelling, make] of BARE) {
    const allowed = allowedDistance(Math.min(spelling.length, key.length));
    if (allowed === 0 || Math.abs(spelling.length - key.length) > allowed) continue;
    const distance = editDistance(key, spelling);
    if (distance > allowed || distance > best) continue;
    if (distance < best) winners = new Map();
    best = distance;
    winners.set(make, spelling);
  }
  const [winner, ...others] = winners.values();
  return winner !== undefined && others.length === 0 ? winner : null;
}

function allowedDistance(letters: number): number {
  if (letters >= 7) return 2;
  return letters >= 5 ? 1 : 0;
}

/** Damerau-Levenshtein, optimal string alignment: insert, delete, replace, swap of neighbours. */
export function editDistance(left: string, right: string): number {
  let twoBack: number[] = [];
  let back = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1;
      let cost = Math.min((back[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (back[j - 1] ?? 0) + same);
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (swapped) cost = Math.min(cost, (twoBack[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    twoBack = back;
    back = row;
  }
  return back[right.length] ?? 0;
}

function spellings(): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const [make, aliases] of Object.entries(MAKES)) {
    for (const alias of [make, ...aliases]) known.set(foldKey(alias), make);
  }
  for (const [model, make] of Object.entries(MODELS_THAT_NAME_THE_MAKE)) known.set(model, make);
  return known;
}
