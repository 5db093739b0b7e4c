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
const SCALE = String.raw`(?:[\s-]?(?:k|mil|thousand|thou|grand|mille|m|million|millones)(?!\w))?`;
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
const AT_MOST =
  /(?:under|below|less than|up to|at most|no more than|maximum(?: of)?|max|within|budget(?: of| is)?|menos de|hasta|por debajo de|maximo(?: de)?|presupuesto de|moins de|jusqu'a|au plus|en dessous de|sous|budget de)\s(?:the |your |los |les |a )?$/i;
const AT_LEAST =
  /(?:over|above|more than|at least|exceeding|between|mas de|al menos|por encima de|minimo(?: de)?|entre|plus de|au moins|au-dessus de)\s(?:the |los |les |a )?$/i;
const ABOUT =
  /(?:about|around|roughly|approximately|approx\.?|nearly|almost|~|unos|cerca de|alrededor de|aproximadamente|casi|environ|pres de|a peu pres)\s?$/i;
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
    /^(?:trucks?|vehicles?|units?|listings?|options?|matches|models?|choices|results|tractors?|camiones|tractocamiones|vehiculos|unidades|opciones|modelos|resultados|camions|tracteurs|vehicules|modeles|resultats)$/,
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

/** Reads comparable text; `names` are those it may know trucks by. */
export function readClaims(sentence: string, names: readonly TruckName[]): Claim[] {
  const claims: Claim[] = [];
  let text = sentence.replace(LIST_NUMBER, (number) => ' '.repeat(number.length));
  /** What is taken is blanked, so that nothing is read twice. */
  const take = (pattern: RegExp, read: (match: RegExpExecArray) => Claim | null) => {
    for (const match of [...text.matchAll(pattern)]) {
      const claim = read(match);
      if (claim === null) continue;
      claims.push(claim);
      text =
        text.slice(0, match.index) + ' '.repeat(match[0].length) + text.slice(match.index + match[0].length);
    }
  };
  const isPriced = (at: number) => AFTER_PRICE_WORD.test(sentence.slice(0, at));
  const price = (at: number, written: string): Claim => {
    return { at, kind: 'price', value: parseAmount(written), bound: boundBefore(sentence, at) ?? 'exact' };
  };
  const figure = (at: number, written: string) => {
    const units = unitsAround(sentence, at, written);
    return { at, kind: 'figure' as const, text: written, value: parseAmount(written), units };
  };
  const vin = (at: number, written: string): Claim => ({ at, kind: 'vin', vin: written.toUpperCase() });

  take(MARK, ({ index, 1: written = '' }) => vin(index, written));
  take(VIN, ({ index, 0: written }) => vin(index, written));
  take(PRICE, ({ index, groups }) => price(index, groups?.before ?? groups?.after ?? ''));
  for (const { kind, text: name, pattern } of names)
    take(pattern, ({ index }) => (/^\d/.test(name) && isPriced(index) ? null : { at: index, kind, name }));
  take(MILEAGE, ({ index, groups }) => ({
    at: index,
    kind: 'miles',
    value: /^k/i.test(groups?.unit ?? '') ? Number.NaN : parseAmount(groups?.value ?? ''),
    bound: boundBefore(sentence, index) ?? (ABOUT.test(sentence.slice(0, index)) ? 'about' : 'exact'),
  }));
  take(YEAR, ({ index, 0: year }) =>
    isPriced(index) ? price(index, year) : { at: index, kind: 'year', value: Number(year) },
  );
  take(FIGURE, ({ index, 0: written }) => {
    // Not every model is known: `International 4300`.
    const make = claims.find((claim) => claim.kind === 'make' && isNextTo(sentence, claim, index));
    if (make) return { at: index, kind: 'model', name: written };
    if (isPriced(index) && /^\d/.test(written)) return price(index, written);
    // `455hp` is a number with its unit; `DD15` is a name.
    const attached = /^(\d+)([a-z]+)$/i.exec(written);
    const unit = unitNamed(attached?.[2]?.toLowerCase() ?? '');
    if (attached && unit) return { ...figure(index, attached[1] ?? ''), units: [unit] };
    return figure(index, written);
  });
  return claims.sort((a, b) => a.at - b.at);
}

/** True when nothing but a blank stands between the name and what begins at `at`. */
export function isNextTo(sentence: string, name: Claim, at: number): boolean {
  return 'name' in name && at > name.at && sentence.slice(name.at, at).trim().length <= name.name.length;
}

/** The unit that follows within three words, else the word next to the number; and the word before it. */
function unitsAround(sentence: string, at: number, written: string): string[] {
  const after = sentence.slice(at + written.length, at + written.length + 60).toLowerCase();
  const next = /^[\s"_-]*(%|\w+)?(?:[ /_-]+(\w+))?(?:[ /_-]+(\w+))?/.exec(after)?.slice(1) ?? [];
  const before = /([a-z]+)["\s:,#_-]*$/.exec(sentence.slice(Math.max(0, at - 40), at).toLowerCase())?.[1];
  const following = next.filter((word) => word !== undefined);
  const preceding = before && (unitNamed(before) ?? before);
  if (preceding === 'class') return [preceding];
  const unit = following.map(unitNamed).find((name) => name !== null);
  if (unit === undefined && COUNTED.test(before ?? '')) return ['truck'];
  return [unit ?? following[0], preceding].filter((name) => name !== undefined);
}

function unitNamed(word: string): string | null {
  return UNITS.find(([, pattern]) => pattern.test(word))?.[0] ?? null;
}

/** `68,900`, `68.900`, `68 900`, `68.9k`, `68,900.00` → 68900; NaN for anything that is not whole. */
export function parseAmount(written: string): number {
  const [, digits = '', scale = ''] = /^([\d,.' ]*\d)[\s-]?([a-z]*)$/i.exec(written.trim()) ?? [];
  if (digits === '') return Number.NaN;
  const grouped = /^\d{1,3}([,.' ])\d{3}(?:\1\d{3})*(?:[.,](\d{1,2}))?$/.exec(digits);
  const cents = grouped?.[2];
  const whole = grouped ? digits.slice(0, cents === undefined ? undefined : -cents.length - 1) : digits;
  const value = grouped ? Number(whole.replace(/\D/g, '')) : Number(digits.replace(',', '.'));
  const fraction = cents === undefined ? 0 : Number(`0.${cents}`);
  const amount = (value + fraction) * scaleFor(scale.toLowerCase());
  const rounded = Math.round(amount);
  return Math.abs(amount - rounded) < 1e-6 ? rounded : Number.NaN;
}

function scaleFor(word: string): number {
  if (word === '') return 1;
  if (/^mill(?:ion|ones)$/.test(word)) return 1_000_000;
  return /^(?:k|mil|mille|thou|thousand|grand)$/.test(word) ? 1_000 : Number.NaN;
}

function boundBefore(text: string, at: number): 'least' | 'most' | null {
  const before = text.slice(0, at);
  if (BETWEEN_END.test(before) || AT_MOST.test(before)) return 'most';
  return AT_LEAST.test(before) ? 'least' : null;
}
