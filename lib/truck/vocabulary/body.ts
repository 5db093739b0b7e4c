import { BLOCKED_BODIES } from '../fields.ts';
import { toList } from '../record/to-list.ts';
import { once, remember } from '../text/remember.ts';
import { toTable } from '../text/table.ts';
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
import { decideBody, isMoreSpecific, NOT_ONLY_TRUCKS, TRACTOR_CABS, WEAK } from './body-rank.ts';
import { type Found, type Phrases, toPhrases } from './phrases.ts';

/**
 * Reading of bodies, word by word: sizes, axles and roofs are passed over, what comes after "with" is equipment, and
 * the last known noun decides.
 */
export interface BodyReading {
  /** Canonical name; null when the text names no body. */
  body: string | null;
  cab: string | null;
  /** The text says more than the canonical name. */
  saysMore: boolean;
}

/** Equipment that has the name of a body in it. */
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
const wholeSpellings = once(
  () =>
    new Map(
      [...BODIES.values()].flatMap(({ name, whole }) =>
        whole.map((spelling) => [toTokens(spelling).join(''), name] as const),
      ),
    ),
);
const CAB_PHRASES = toPhrases(() =>
  Object.entries(CABS).flatMap(([cab, words]) => words.map((word) => [word, cab] as const)),
);
const CONSUMER_PHRASES = toPhrases(() =>
  BLOCKED_BODIES.flatMap((body) => CONSUMER_WORDS[body].map((word) => [word, body] as const)),
);

/** The words of a text as the vocabulary of bodies has them. */
export const toBodyTokens = (text: string): string[] =>
  toTokens(text).map((token) => BODY_PHRASES.repaired(ABBREVIATIONS[token] ?? token));

/** What a text says of the body and the cab. */
export const readBody = remember((text): BodyReading => readTokens(toBodyTokens(text)));

function readTokens(tokens: readonly string[]): BodyReading {
  const whole = wholeSpellings().get(tokens.join(''));
  if (whole !== undefined) return { body: whole, cab: null, saysMore: false };
  if (isTrailer(tokens)) return { body: null, cab: null, saysMore: true };
  const at = findEquipment(tokens);
  const before = at < 0 ? tokens : tokens.slice(0, at);
  const head = decideBody(listNouns(before)) ?? (at < 0 ? null : readProduct(before));
  const hasTail = at >= 0 && !PULLS.has(tokens[at] ?? '');
  const tail = hasTail ? decideBody(listNouns(tokens.slice(at + 1))) : null;
  const isTractorCab = head === 'tractor' && tail !== null && tail in TRACTOR_CABS;
  const isCooled = head === 'box_truck' && tail === 'refrigerated_truck';
  const isCarried =
    head === null || isTractorCab || isCooled || (WEAK.has(head) && tail !== null && !WEAK.has(tail));
  const named = isCarried && tail !== null ? tail : head;
  const body = isLongVan(named, tokens) ? 'box_truck' : (namePickup(named, tokens) ?? readProduct(tokens));
  return { body, cab: readCab(tokens, body), saysMore: saysMore(tokens, body) };
}

const TRAILERS = new Set(
  'trailer trailers remolque remolques remorque remorques semirremolque semiremorque'.split(' '),
);
const BESIDE_TRAILERS = new Set('truck trucks camion and y et pup'.split(' '));

/** `Reefer Trailers` are what a truck pulls; a tractor-trailer is a truck, and so is one that comes with a trailer. */
function isTrailer(tokens: readonly string[]): boolean {
  const last = tokens.length - 1;
  if (!TRAILERS.has(tokens[last] ?? '')) return false;
  const isNamed = BODY_PHRASES.all(tokens).some(({ at, count }) => at + count > last);
  return (
    !isNamed && !tokens.some((token) => EQUIPPED.has(token) || PULLS.has(token) || BESIDE_TRAILERS.has(token))
  );
}

/** The nouns of a text; what is only called a box is what else it is called: `cattle box`, `service box`. */
function listNouns(tokens: readonly string[]): Found<Body | null>[] {
  const found = BODY_PHRASES.all(tokens);
  const others = found.filter(({ at, count }) => !(count === 1 && tokens[at] === 'box'));
  return others.some(({ value }) => value !== null && !WEAK.has(value.name) && value.family !== 'tractor')
    ? others
    : found;
}

const BED_SIZES = new Set(['long', 'short', 'standard', 'std', 'regular']);
/** `8 ft`, `8ft`; `6.5 ft` is two numbers among words. */
const IN_FEET = /(?:^| )(\d{1,2})(?: \d{1,2})? ?(?:ft|foot|feet|pi|pieds?|pies?)(?: |$)/;
/** No box truck is as short. */
const MAX_BED_FEET = 8;

/** A pickup's bed is a box, too: `Crew Cab Long Box`, `6'4" box`, `pickup box`. */
function namePickup(body: string | null, tokens: readonly string[]): string | null {
  const box = tokens.indexOf('box');
  if (body !== 'box_truck' || box < 0 || BODY_PHRASES.startingAt(tokens, box)?.count !== 1) return body;
  const feet = IN_FEET.exec(tokens.join(' '))?.[1];
  const isShort = feet ? Number(feet) <= MAX_BED_FEET : BED_SIZES.has(tokens[box - 1] ?? '');
  const isNamed = BODY_PHRASES.all(tokens).some(({ value }) => value?.name === 'pickup');
  return isShort || isNamed ? 'pickup' : body;
}

const EQUIPPED = new Set(['with', 'avec', 'con']);
/** What a truck pulls is another's body. */
const PULLS = new Set(['pulls', 'pulling', 'pulled', 'jala']);

/** Where what is not the body begins; -1 when there is none. `camion con grua` is one body, `vac con` a maker. */
function findEquipment(tokens: readonly string[]): number {
  const named = BODY_PHRASES.all(tokens);
  return tokens.findIndex(
    (token, at) =>
      (EQUIPPED.has(token) || PULLS.has(token)) &&
      !(token === 'con' && tokens[at - 1] === 'vac') &&
      !named.some((found) => found.at < at && at < found.at + found.count),
  );
}

/** The body that a product's name stands for. */
const readProduct = (tokens: readonly string[]): string | null =>
  PRODUCT_PHRASES.all(tokens).at(-1)?.value ?? null;

const FEET = new Set(['ft', 'foot', 'feet', 'pi', 'pied', 'pieds', 'pie', 'pies']);
/** No cargo van is as long inside. */
const MIN_BOX_FEET = 14;

/** A van of a builder of boxes, or as long as only boxes are, is a box: `26ft van`, `Morgan van`. */
function isLongVan(body: string | null, tokens: readonly string[]): boolean {
  if (body !== 'cargo_van' || tokens.includes('cargo')) return false;
  const isLong = tokens.some((token, at) => Number(token) >= MIN_BOX_FEET && FEET.has(tokens[at + 1] ?? ''));
  return isLong || readProduct(tokens) === 'box_truck';
}

function readCab(tokens: readonly string[], body: string | null): string | null {
  const [named] = CAB_PHRASES.all(tokens);
  if (named !== undefined) return named.value;
  if (body === null || BODIES.get(body)?.family === 'tractor') return null;
  const cab = BODY_PHRASES.all(tokens).find(
    ({ value }) => value !== null && value.name in TRACTOR_CABS,
  )?.value;
  return cab ? (TRACTOR_CABS[cab.name] ?? null) : null;
}

/**
 * Of several texts that may tell the body, the best first, the one to go by: a consumer body in any of them, since a list
 * is no way around the rule, else the first that names a body unless a later one says more. Null when there are none.
 */
export function chooseBody(texts: readonly string[]): string | null {
  const blocked = texts.find((text) => blockedBody(text) !== null);
  if (blocked !== undefined) return blocked;
  let chosen: { text: string; body: string } | null = null;
  for (const text of texts) {
    const body = canonicalBody(text);
    if (body !== null && (chosen === null || isMoreSpecific(body, chosen.body))) chosen = { text, body };
  }
  return chosen?.text ?? texts[0] ?? null;
}

/** `Sleeper`, `Day cab`, `Crew cab`, …, by the body or else the first text that tells; null where nothing does. */
export function namedCab(body: string | null, texts: readonly (string | null)[]): string | null {
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

/** The kind of cab that prices are compared within; '' when nothing names one. */
export const cabKind = (body: string | null, cab: string | null): string =>
  CAB_KINDS[namedCab(body, [cab]) ?? ''] ?? '';

const SAY_NOTHING = new Set(['truck', 'body', 'bed', 'unit', 'and', 'vehicle', 'type', 'camion', 'de', 'a']);

function saysMore(tokens: readonly string[], body: string | null): boolean {
  const names = BODIES.get(body ?? '');
  const own = new Set(names ? toTokens(`${names.name.replaceAll('_', ' ')} ${names.names.join(' ')}`) : []);
  const joined = [...own].join('');
  if (isPlaceholder(tokens.join(''))) return false;
  const isNothing = (token: string) => SAY_NOTHING.has(token) || (body === null && NO_NOUNS.has(token));
  return tokens.some((token) => !own.has(token) && !isNothing(token) && !joined.includes(token));
}

const NO_NOUNS = new Set(
  'heavy medium light duty commercial conventional cabover coe lcf tilt forward control tandem single tri axle axles drive drw srw hd md class other misc used new regular extended standard std dr door 2dr 4dr door'.split(
    ' ',
  ),
);

/** True for words of a body that the table does not know: not only of cab, drive and duty. */
export function namesUnknownBody(text: string): boolean {
  const tokens = toTokens(text);
  if (isPlaceholder(text) || readBody(text).body !== null || CAB_PHRASES.all(tokens).length > 0) return false;
  return tokens.some((token) => !SAY_NOTHING.has(token) && !NO_NOUNS.has(token) && !/\d/.test(token));
}

/** Canonical name of a body, for example `sleeper_tractor`; null for what is no body of the table. Idempotent. */
export function canonicalBody(text: string): string | null {
  return BODIES.has(text) ? text : readBody(text).body;
}

/** True when the text names a body that only trucks have. */
export function isTruckBody(text: string): boolean {
  const body = canonicalBody(text);
  return body !== null && !NOT_ONLY_TRUCKS.includes(body);
}

const DOORS = /^(?:\d|\d(?:dr|d|door|doors|ptas|p))$/;

/** The blocked consumer body (contract section 2) that a text names in any spelling; null for a truck's. */
export const blockedBody = remember((text): (typeof BLOCKED_BODIES)[number] | null => {
  const tokens = toTokens(text).map((token) =>
    CONSUMER_MODIFIERS.has(token) ? token : CONSUMER_PHRASES.repaired(token),
  );
  const found = CONSUMER_PHRASES.all(tokens);
  const [first] = found;
  if (first === undefined) return null;
  const covered = new Set(
    found.flatMap(({ at, count }) => Array.from({ length: count }, (_, step) => at + step)),
  );
  const others = tokens.filter((_, at) => !covered.has(at));
  if (!others.every((token) => CONSUMER_MODIFIERS.has(token) || DOORS.test(token))) return null;
  if (first.value === 'wagon' && others.some((token) => VAN_MODIFIERS.has(token))) return null;
  const isTwoDoor = tokens.some((token) => /^2(?:dr|d|door)?$/.test(token));
  return first.value === 'sedan' && tokens.includes('car') && isTwoDoor ? 'coupe' : first.value;
});
