import { toNormalForm } from '../text/normal-form.ts';

/** What a sentence says of trucks, in the order it is said. Amounts are whole dollars and miles. */
export type Claim = { at: number } & (
  | { kind: 'vin'; vin: string }
  | { kind: 'year'; value: number }
  | { kind: 'make' | 'model'; name: string }
  /** `least`, `most`: a bound of what is asked for, not a price. NaN: an amount that cannot be read. */
  | { kind: 'price'; value: number; bound: Bound }
  | { kind: 'miles'; value: number; bound: Bound | 'about' }
  /** Any other number, or a token with digits in it; `units` are what may measure it. */
  | { kind: 'figure'; text: string; value: number; units: string[] }
);
export type Bound = 'exact' | 'least' | 'most';

/** A make or model that may be named. */
export interface TruckName {
  kind: 'make' | 'model';
  text: string;
  pattern: RegExp;
}

const NUMBER = String.raw`(?:\d{1,3}(?:[,.' ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)(?!\d)`;
const SCALE = String.raw`(?:[\s-]?k(?!\w))?`;
const CURRENCY = String.raw`(?:US\s?\$|USD|CA?\$|\$|€|£|EUR|GBP|CAD|MXN|₿|BTC)`;
const CURRENCY_AFTER = String.raw`(?:(?:US dollars?|USD|dollars?|bucks?|dolar(?:es)?|euros?|EUR|CAD|MXN|pesos?|piastres|cents?|centavos)(?!\w)|\$|€|£)`;
const MILES = String.raw`(?:mi\.?(?!\w)|miles?(?!\w)|millas?(?!\w)|milles?(?!\w)|kms?(?!\w)|kilomet(?:er|re|ro)s?)`;

const MARK = /\[\[\s*([A-Z0-9]{17})\s*\]\]/gi;
const VIN = /(?<!\w)(?=(?:[a-z]*\d){3})[a-z0-9]{17}(?!\w)/gi;
const PRICE = new RegExp(
  `${CURRENCY}\\s?(?<before>${NUMBER}${SCALE})|(?<after>${NUMBER}${SCALE})\\s?${CURRENCY_AFTER}`,
  'gi',
);
const MILEAGE = new RegExp(`(?<value>${NUMBER}${SCALE})[\\s-]?(?<unit>${MILES})`, 'gi');
const YEAR = /(?<![\w$€£.,])(?:19[5-9]\d|20\d{2})(?![\w%]|[.,]\d|\s?%)/g;
const FIGURE = new RegExp(`(?<!\\w)${NUMBER}${SCALE}(?!\\w)|\\w*\\d\\w*`, 'gi');
const LIST_NUMBER = /^\s*(?:1?\d|20)[.)]\s/;
const AFTER_PRICE_WORD =
  /\b(?:pric(?:e|ed)|costs?|asking|pay|sells?|for (?:only|just)|yours for|precio|cuesta|vale|prix|coute|vaut)(?:\s\w+){0,3}\s?[:=]?\s?$/i;
/** Words before an amount that bound it, and how far what they allow is from it: the price is not “less than” itself. */
const BOUNDS = (
  [
    ['most', 0, 'up to|at most|(?:no|not) more than|maximum(?: of)?|max|within|budget(?: of| is)?'],
    ['most', 0, "hasta|no mas de|maximo(?: de)?|presupuesto de|jusqu'a|pas plus de|au plus|budget de"],
    ['least', 0, 'at least|(?:no|not) less than|between|al menos|no menos de|minimo(?: de)?'],
    ['least', 0, 'entre|au moins|pas moins de'],
    ['most', -1, 'under|below|less than|menos de|por debajo de|moins de|en dessous de|sous'],
    ['least', 1, 'over|above|more than|exceeding|mas de|por encima de|plus de|au-dessus de'],
  ] as const
).map(([bound, step, words]) => ({
  bound,
  step,
  pattern: new RegExp(`(?:${words})\\s(?:the |your |los |les |a )?$`, 'i'),
}));
const ABOUT =
  /(?:about|around|roughly|approximately|approx\.?|nearly|almost|~|unos|cerca de|alrededor de|aproximadamente|casi|environ|pres de|a peu pres)\s?$/i;
/** What stands before a figure and is read with it. */
const BEFORE_FIGURE =
  /(?<!\w)(?:under|over|above|below|around|roughly|approximately|nearly|(?:less|more) than|(?:menos|mas|moins|plus) de|hasta|jusqu'a) (?=[$€]?\d)/gi;
/** `It is 52,000.`, `take it for 455`: a number that nothing measures is heard as the price. */
const BEFORE_BARE = /\b(?:is|are|was|for|at|only|just|take|es|son|esta|por|en|est|sont|a|pour)\s$/i;
const AFTER_BARE = /^\s*(?:[.,;:!?)]|$|(?:and|or|y|o|et|ou)\s)/i;
/** What says that the number is another: `its GVWR is 52,000`, `we are at 4100`. */
const IS_MEASURED =
  /\b(?:gvwr|horse\s?power|power|hp|caballos|potencia|chevaux|puissance|wheelbase|odometer|mileage|weight|weighs|peso|poids|stock|serie|model|series|zip|interstate|street|st|ave|avenue|road|rd|suite)\b/i;
const BETWEEN_END = /(?:between|entre)\s\S{1,20}(?:\s\S{1,12}){0,2}\s(?:and|y|et|a)\s$/i;

/** What measures a number, under one name in every language. */
const UNITS: readonly (readonly [string, RegExp])[] = [
  ['%', /^%$/],
  ['day', /^(?:days?|dias?|jours?)$/],
  ['week', /^(?:weeks?|weekly|semanas?|semaines?)$/],
  ['month', /^(?:months?|monthly|mo|mes|meses|mensual\w*|mois)$/],
  ['year', /^(?:years?|yrs?|anos?|ans?|annees?)$/],
  ['hour', /^(?:hours?|hrs?|horas?|heures?|am|pm)$/],
  ['owner', /^(?:owners?|duenos?|proprietaires?)$/],
  [
    'truck',
    /^(?:them|these|trucks?|vehicles?|units?|listings?|options?|matches|models?|choices|results|tractors?|camiones|tractocamiones|vehiculos|unidades|opciones|modelos|resultados|camions|tracteurs|vehicules|modeles|resultats)$/,
  ],
  ['speed', /^(?:speeds?|gears?|velocidades|vitesses|rapports)$/],
  ['inch', /^(?:inch|inches|in|pulgadas?|pouces?)$/],
  ['hp', /^(?:hp|horsepower|cv|ch|chevaux|caballos)$/],
  ['lb', /^(?:lbs?|pounds?|libras?|livres?)$/],
  ['class', /^(?:class|clase|classe)$/],
];

/** `the two`, `los dos`: the trucks spoken of. */
const COUNTED = /^(?:the|these|those|los|las|estos|estas|les|ces)$/;

export function truckName(
  kind: 'make' | 'model',
  text: string,
  spelling: 'any' | 'exact' = 'any',
): TruckName {
  const words = toNormalForm(text, 'NFKD').match(/[a-z0-9]+/gi) ?? [];
  const joined = words.length === 0 ? '(?!)' : words.join('[^\\w\\n]{0,2}');
  return { kind, text, pattern: new RegExp(`(?<!\\w)${joined}(?!\\w)`, spelling === 'any' ? 'gi' : 'g') };
}

/** Reads comparable text; `names` are those it may know trucks by. `rest` is the text without what was read. */
export function readClaims(sentence: string, names: readonly TruckName[]): { claims: Claim[]; rest: string } {
  const claims: Claim[] = [];
  let text = sentence.replace(LIST_NUMBER, (number) => ' '.repeat(number.length));
  /** What is taken is blanked, so that nothing is read twice. */
  const take = (pattern: RegExp, read: (written: string, at: number, groups: Groups) => Claim | null) => {
    text = text.replace(pattern, (written: string, ...rest: unknown[]) => {
      const groups = rest.at(-1);
      const at = rest.find((value) => typeof value === 'number') ?? 0;
      const claim = read(written, at, isGroups(groups) ? groups : {});
      if (claim === null) return written;
      claims.push(claim);
      return ' '.repeat(written.length);
    });
  };
  const isPriced = (at: number) => AFTER_PRICE_WORD.test(textBefore(sentence, at));
  const isMeasured = IS_MEASURED.test(sentence);
  const isBare = (at: number, written: string) =>
    !isMeasured &&
    parseAmount(written) >= 100 &&
    BEFORE_BARE.test(textBefore(sentence, at)) &&
    AFTER_BARE.test(sentence.slice(at + written.length, at + written.length + 60));
  const price = (at: number, written: string): Claim => ({
    at,
    kind: 'price',
    ...readAmount(sentence, at, written),
  });
  const figure = (at: number, written: string) => {
    const units = unitsAround(sentence, at, written);
    // Nothing says how many more or fewer: “more than 37 trucks” is no number that stands anywhere.
    const isBeyond = findBound(sentence, at).step !== 0;
    const value = isBeyond ? Number.NaN : parseAmount(written);
    return { at, kind: 'figure' as const, text: isBeyond ? '' : written, value, units };
  };
  const vin = (at: number, written: string): Claim => ({ at, kind: 'vin', vin: written.toUpperCase() });

  for (const { index, 0: bound } of sentence.matchAll(BEFORE_FIGURE))
    text = text.slice(0, index) + ' '.repeat(bound.length) + text.slice(index + bound.length);
  take(MARK, (written, at) => vin(at, written.replace(/[^a-z0-9]/gi, '')));
  take(VIN, (written, at) => vin(at, written));
  take(PRICE, (_, at, { before, after }) => price(at, before ?? after ?? ''));
  for (const { kind, text: name, pattern } of names)
    take(pattern, (_, at) => (/^\d/.test(name) && isPriced(at) ? null : { at, kind, name }));
  take(MILEAGE, (_, at, { value: written = '', unit = '' }) => {
    const { value, bound } = readAmount(sentence, at, written);
    const isAbout = bound === 'exact' && ABOUT.test(textBefore(sentence, at));
    return {
      at,
      kind: 'miles',
      value: /^k/i.test(unit) ? Number.NaN : value,
      bound: isAbout ? 'about' : bound,
    };
  });
  take(YEAR, (year, at) => (isPriced(at) ? price(at, year) : { at, kind: 'year', value: Number(year) }));
  const makes = claims.filter(({ kind }) => kind === 'make').sort((a, b) => a.at - b.at);
  let next = 0;
  take(FIGURE, (written, at) => {
    // Not every model is known: `International 4300`.
    while ((makes[next + 1]?.at ?? at) < at) next += 1;
    const make = makes[next];
    if (make && isNextTo(sentence, make, at)) return { at, kind: 'model', name: written };
    if ((isPriced(at) || isBare(at, written)) && /^\d/.test(written)) return price(at, written);
    // `455hp` is a number with its unit; `DD15` is a name.
    const attached = /^(\d+)([a-z]+)$/i.exec(written);
    const unit = unitNamed(attached?.[2]?.toLowerCase() ?? '');
    if (attached && unit) return { ...figure(at, attached[1] ?? ''), units: [unit] };
    return figure(at, written);
  });
  return { claims: claims.sort((a, b) => a.at - b.at), rest: text };
}

type Groups = Partial<Record<string, string>>;
const isGroups = (value: unknown): value is Groups => typeof value === 'object' && value !== null;
/** As much as the words before a number take: the whole of it would be read again for each number. */
const textBefore = (text: string, at: number) => text.slice(Math.max(0, at - 60), at);

/** True when nothing but a blank stands between the name and what begins at `at`. */
export function isNextTo(sentence: string, name: Claim, at: number): boolean {
  return 'name' in name && at > name.at && sentence.slice(name.at, at).trim().length <= name.name.length;
}

/** The unit that follows within three words, else the word next to the number; and the word before it. */
function unitsAround(sentence: string, at: number, written: string): string[] {
  const after = sentence
    .slice(at + written.length, at + written.length + 60)
    .toLowerCase()
    // “2 class 8 trucks” counts trucks.
    .replace(/^ (?:class|clase|classe) \d /, ' ');
  const next = /^[\s"_-]*(%|\w+)?(?:[ /_-]+(\w+))?(?:[ /_-]+(\w+))?/.exec(after)?.slice(1) ?? [];
  const before = /([a-z]+)["\s:,#_-]*$/.exec(sentence.slice(Math.max(0, at - 40), at).toLowerCase())?.[1];
  const following = next.filter((word) => word !== undefined);
  const preceding = before && (unitNamed(before) ?? before);
  if (preceding === 'class') return [preceding];
  if (COUNTED.test(before ?? '') && unitNamed(next[0] ?? '') === null) return ['truck'];
  const unit = following.map(unitNamed).find((name) => name !== null);
  return [unit ?? following[0], preceding].filter((name) => name !== undefined);
}

function unitNamed(word: string): string | null {
  return UNITS.find(([, pattern]) => pattern.test(word))?.[0] ?? null;
}

/** `68,900`, `68.900`, `68 900`, `68.9k`, `68,900.00` → 68900; NaN for anything that is not whole. */
function parseAmount(written: string): number {
  const [, digits = '', scale = ''] = /^([\d,.' ]*\d)[\s-]?([a-z]*)$/i.exec(written.trim()) ?? [];
  if (digits === '') return Number.NaN;
  const grouped = /^\d{1,3}([,.' ])\d{3}(?:\1\d{3})*(?:[.,](\d{1,2}))?$/.exec(digits);
  const cents = grouped?.[2];
  const whole = grouped ? digits.slice(0, cents === undefined ? undefined : -cents.length - 1) : digits;
  const value = grouped ? Number(whole.replace(/\D/g, '')) : Number(digits.replace(',', '.'));
  const fraction = cents === undefined ? 0 : Number(`0.${cents}`);
  const amount = (value + fraction) * (scale === '' ? 1 : scale.toLowerCase() === 'k' ? 1_000 : Number.NaN);
  const rounded = Math.round(amount);
  return Math.abs(amount - rounded) < 1e-6 ? rounded : Number.NaN;
}

/** “Under $50,000” is at most $49,999. */
function readAmount(text: string, at: number, written: string): { value: number; bound: Bound } {
  const { bound, step } = findBound(text, at);
  return { value: parseAmount(written) + step, bound };
}

function findBound(text: string, at: number): { bound: Bound; step: number } {
  const before = textBefore(text, at);
  if (BETWEEN_END.test(before)) return { bound: 'most', step: 0 };
  return BOUNDS.find(({ pattern }) => pattern.test(before)) ?? { bound: 'exact', step: 0 };
}
