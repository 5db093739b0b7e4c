import { BLOCKED_BODIES } from '../fields.ts';
import { once, remember } from '../text/remember.ts';
import { toList, toTable } from '../text/table.ts';
import { isPlaceholder } from '../text/text.ts';
import { toTokens } from '../text/tokens.ts';
import {
  ABBREVIATIONS,
  BODIES,
  type Body,
  CABS,
  CONSUMER_MODIFIERS,
  CONSUMER_WORDS,
  VAN_MODIFIERS,
} from './bodies.ts';
import { decideBody, isMoreSpecific, TRACTOR_CABS, WEAK } from './body-rank.ts';
import { type PhraseMatch, type Phrases, toPhrases } from './phrases.ts';

/**
 * Reads bodies word by word: sizes, axles and roofs are skipped, words after "with" are equipment, and the last known noun
 * decides.
 */

/** Equipment whose name contains that of a body. */
const EQUIPMENT = toList(`
  tool box, side box, battery box, under deck, ladder rack, fuel tank, tow package, tow hitch,
  sliding fifth wheel, cargo light, service brake, utility rack, concrete rack, deck plate
`);
export const BODY_PHRASES: Phrases<Body | null> = toPhrases<Body | null>(() => [
  ...[...BODIES.values()].flatMap((body) => body.spellings.map((spelling) => [spelling, body] as const)),
  ...EQUIPMENT.map((words) => [words, null] as const),
]);
const PRODUCT_PHRASES = toPhrases(() =>
  [...BODIES.values()].flatMap(({ name, products }) => products.map((product) => [product, name] as const)),
);
const bodiesByWholeText = once(
  () =>
    new Map(
      [...BODIES.values()].flatMap(({ name, wholeSpellings }) =>
        wholeSpellings.map((spelling) => [toTokens(spelling).join(''), name] as const),
      ),
    ),
);
const CAB_PHRASES = toPhrases(() =>
  Object.entries(CABS).flatMap(([cab, words]) => words.map((word) => [word, cab] as const)),
);
const CONSUMER_PHRASES = toPhrases(() =>
  BLOCKED_BODIES.flatMap((body) => CONSUMER_WORDS[body].map((word) => [word, body] as const)),
);

/** Splits a text into words, spelled as in the vocabulary of bodies. */
export const toBodyTokens = (text: string): string[] =>
  toTokens(text).map((token) => BODY_PHRASES.repair(ABBREVIATIONS[token] ?? token));

/** Reads the body (canonical name) and the cab from a text; `saysMore` is true if other words remain. */
export const readBody = remember((text) => readTokens(toBodyTokens(text)));

function readTokens(tokens: readonly string[]) {
  const bodyOfWholeText = bodiesByWholeText().get(tokens.join(''));
  if (bodyOfWholeText !== undefined) return { body: bodyOfWholeText, cab: null, saysMore: false };
  const at = findEquipment(tokens);
  const bodyTokens = at < 0 ? tokens : tokens.slice(0, at);
  if (isTrailer(bodyTokens)) return { body: null, cab: null, saysMore: true };
  const headBody = decideBody(listNouns(bodyTokens)) ?? (at < 0 ? null : readProduct(bodyTokens));
  const hasTail = at >= 0 && !PULLS.has(tokens[at] ?? '');
  const equipmentBody = hasTail ? decideBody(listNouns(tokens.slice(at + 1))) : null;
  const isTractorCab = headBody === 'tractor' && equipmentBody !== null && equipmentBody in TRACTOR_CABS;
  const isCooled = headBody === 'box_truck' && equipmentBody === 'refrigerated_truck';
  const isCarried =
    headBody === null ||
    isTractorCab ||
    isCooled ||
    (WEAK.has(headBody) && equipmentBody !== null && !WEAK.has(equipmentBody));
  const body =
    judgeBox(isCarried && equipmentBody !== null ? equipmentBody : headBody, tokens) ?? readProduct(tokens);
  return { body, cab: CAB_PHRASES.all(tokens)[0]?.value ?? null, saysMore: hasMoreWords(tokens, body) };
}

const TRAILERS = new Set(
  'trailer trailers remolque remolques remorque remorques semirremolque semiremorque'.split(' '),
);

/** True for `Reefer Trailers`, which a truck pulls, but not for a tractor-trailer, which is a truck. */
const isTrailer = (tokens: readonly string[]): boolean =>
  TRAILERS.has(tokens.at(-1) ?? '') &&
  !BODY_PHRASES.all(tokens).some(({ at, count }) => at + count === tokens.length);

/** Lists the nouns of a text; `box` does not count beside another one: `cattle box`, `service box`. */
function listNouns(tokens: readonly string[]): PhraseMatch<Body | null>[] {
  const phrases = BODY_PHRASES.all(tokens);
  const nouns = phrases.filter(({ at, count }) => !(count === 1 && tokens[at] === 'box'));
  return nouns.some(({ value }) => value !== null && !WEAK.has(value.name)) ? nouns : phrases;
}

const EQUIPPED = new Set(['with', 'avec', 'con']);
/** Words before what a truck pulls, which is not its body. */
const PULLS = new Set(['pulls', 'pulling', 'pulled', 'jala']);

/** Returns the position where equipment begins, or -1. `camion con grua` is one body. */
function findEquipment(tokens: readonly string[]): number {
  const phrases = BODY_PHRASES.all(tokens);
  return tokens.findIndex(
    (token, at) =>
      (EQUIPPED.has(token) || PULLS.has(token)) &&
      !phrases.some((phrase) => phrase.at < at && at < phrase.at + phrase.count),
  );
}

/** Returns the body of a product's name. */
const readProduct = (tokens: readonly string[]): string | null =>
  PRODUCT_PHRASES.all(tokens).at(-1)?.value ?? null;

/** Matches `8 ft` and `8ft`; `6.5 ft` is two numbers once it is split into words. */
const IN_FEET = /(?:^| )(\d{1,2})(?: \d{1,2})? ?(?:ft|foot|feet|pi|pieds?|pies?)(?: |$)/;
/** Cargo vans are shorter inside. */
const MIN_BOX_FEET = 14;
/** Boxes of box trucks are longer. */
const MAX_BED_FEET = 8;
const BED_SIZES = new Set(['long', 'short', 'standard', 'std', 'regular']);

/**
 * Corrects vans and boxes. A van that is as long as a box, or built by a maker of boxes, is a box truck: `26ft van`, `Morgan
 * van`. A box that is a pickup's bed is a pickup: `Crew Cab Long Box`, `6'4" box`, `pickup box`.
 */
function judgeBox(body: string | null, tokens: readonly string[]): string | null {
  const feet = Number(IN_FEET.exec(tokens.join(' '))?.[1] ?? Number.NaN);
  if (body === 'cargo_van' && !tokens.includes('cargo'))
    return feet >= MIN_BOX_FEET || readProduct(tokens) === 'box_truck' ? 'box_truck' : body;
  const phrases = BODY_PHRASES.all(tokens);
  const box = phrases.find(({ at, count }) => count === 1 && tokens[at] === 'box');
  if (body !== 'box_truck' || box === undefined) return body;
  const isShort = Number.isNaN(feet) ? BED_SIZES.has(tokens[box.at - 1] ?? '') : feet <= MAX_BED_FEET;
  return isShort || phrases.some(({ value }) => value?.name === 'pickup') ? 'pickup' : body;
}

/**
 * Chooses the text that decides the body; the texts come best first. A consumer body in any text decides, so that a list does
 * not bypass the rule; else the first text that names a body, unless a later one is more specific. Null for no texts.
 */
export function chooseBody(texts: readonly string[]): string | null {
  const blocked = texts.find((text) => findBlockedBody(text) !== null);
  if (blocked !== undefined) return blocked;
  let best: { text: string; body: string } | null = null;
  for (const text of texts) {
    const body = canonicalBody(text);
    if (body !== null && (best === null || isMoreSpecific(body, best.body))) best = { text, body };
  }
  return best?.text ?? texts[0] ?? null;
}

/** Finds the cab (`Sleeper`, `Day cab`, `Crew cab`, …) by the body, or else by the first text that names one; else null. */
export function findCab(body: string | null, texts: readonly (string | null)[]): string | null {
  const byBody = TRACTOR_CABS[body ?? ''];
  if (byBody !== undefined) return byBody;
  for (const text of texts) {
    const reading = text === null ? null : readBody(BARE_CAB.test(text) ? `${text} cab` : text);
    const cab = reading?.cab ?? TRACTOR_CABS[reading?.body ?? ''];
    if (cab !== undefined) return cab;
  }
  return null;
}

/** Dealers write `Crew` into the field of the cab. */
const BARE_CAB = /^(?:crew|quad|extended|regular)$/i;

const CAB_KINDS: Readonly<Record<string, string>> = toTable({
  Sleeper: 'sleeper',
  'Day cab': 'day',
  'Crew cab': 'crew',
  'Mega cab': 'crew',
  'Extended cab': 'extended',
  'Regular cab': 'regular',
});

/** Returns the kind of cab within which prices are compared; '' if unknown. */
export const readCabKind = (body: string | null, cab: string | null): string =>
  CAB_KINDS[findCab(body, [cab]) ?? ''] ?? '';

const SAY_NOTHING = new Set(['truck', 'body', 'bed', 'unit', 'and', 'vehicle', 'type', 'camion', 'de', 'a']);
/** Words for cab, drive and duty, which name no body. */
const NO_NOUNS = new Set(
  'heavy medium light duty commercial conventional cabover coe lcf tilt forward control tandem single tri axle axles drive drw srw hd md class other misc used new regular extended standard std dr door 2dr 4dr door'.split(
    ' ',
  ),
);

function hasMoreWords(tokens: readonly string[], body: string | null): boolean {
  if (isPlaceholder(tokens.join(''))) return false;
  const { name = '', names = [] } = BODIES.get(body ?? '') ?? {};
  const ownWords = toTokens(`${name.replaceAll('_', ' ')} ${names.join(' ')}`).join('');
  return tokens.some(
    (token) =>
      !ownWords.includes(token) && !SAY_NOTHING.has(token) && !(body === null && NO_NOUNS.has(token)),
  );
}

/** Returns a body's canonical name, for example `sleeper_tractor`; null for a text that names no body. Idempotent. */
export function canonicalBody(text: string): string | null {
  return BODIES.has(text) ? text : readBody(text).body;
}

const DOORS = /^(?:\d|\d(?:dr|d|door|doors|ptas|p))$/;

/** Returns the blocked consumer body (contract section 2) that a text names in any spelling; null for a truck. */
export const findBlockedBody = remember((text): (typeof BLOCKED_BODIES)[number] | null => {
  const tokens = toTokens(text).map((token) =>
    CONSUMER_MODIFIERS.has(token) ? token : CONSUMER_PHRASES.repair(token),
  );
  const phrases = CONSUMER_PHRASES.all(tokens);
  const [first] = phrases;
  if (first === undefined) return null;
  const covered = new Set(
    phrases.flatMap(({ at, count }) => Array.from({ length: count }, (_, step) => at + step)),
  );
  const otherTokens = tokens.filter((_, at) => !covered.has(at));
  if (!otherTokens.every((token) => CONSUMER_MODIFIERS.has(token) || DOORS.test(token))) return null;
  if (first.value === 'wagon' && otherTokens.some((token) => VAN_MODIFIERS.has(token))) return null;
  const isTwoDoor = tokens.some((token) => /^2(?:dr|d|door)?$/.test(token));
  return first.value === 'sedan' && tokens.includes('car') && isTwoDoor ? 'coupe' : first.value;
});
