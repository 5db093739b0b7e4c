import { folded } from './plain-speech.ts';

/** What a sentence says of trucks, in the order it is said. Amounts are whole dollars and miles. */
export type Claim = { at: number } & (
  | { kind: 'vin'; vin: string }
  | { kind: 'year'; value: number }
  | { kind: 'make' | 'model'; name: string }
  /** `least`, `most`: a bound of what is asked for, not a price. NaN: an amount that cannot be read. */
  | { kind: 'price'; value: number; bound: 'exact' | 'least' | 'most' }
  | { kind: 'miles'; value: number; bound: 'exact' | 'least' | 'most' | 'about' }
  /** A number of four or more digits without a unit. */
  | { kind: 'number'; value: number }
);

export interface Claims {
  claims: Claim[];
  /** Says that something is not so, or not there. */
  negative: boolean;
  question: boolean;
  /** A reduction, a rate, an instalment, a present: nothing that a listing could bear out. */
  promise: boolean;
  /** Digits of other scripts, figures in words, spaced-out VINs: nothing that can be checked. */
  unreadable: boolean;
}

const NUMBER = String.raw`(?:\d{1,3}(?:[,.' ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)(?!\d)`;
const SCALE = String.raw`(?:\s?(?:k|K|mil|thousand|grand|mille|m|M|million|millón|millones)(?![\p{L}\p{N}]))?`;
const CURRENCY = String.raw`(?:US\s?\$|USD|CA?\$|\$|€|£|EUR|GBP|CAD|MXN|₿|BTC)`;
const CURRENCY_AFTER = String.raw`(?:(?:US dollars?|USD|dollars?|bucks|d[oó]lares|dólar|euros?|EUR|CAD|MXN|pesos|cents?|centavos)(?![\p{L}\p{N}])|\$|€|£)`;
const MILES = String.raw`(?:mi\.?(?![\p{L}\p{N}])|miles?(?!\p{L})|millas?(?!\p{L})|milles?(?!\p{L})|kms?(?!\p{L})|kil[oó]m[eè]?tros?|kilom[eè]t(?:er|re)s?)`;
const UNIT = String.raw`(?:hp|horsepower|cv|ch|lbs?|pounds?|libras?|livres?|ft|feet|foot|inch(?:es)?|in|"|'|gal(?:lons?)?|liters?|litres?|l|cc|kg|speeds?|axles?|tons?|%|hours?|hrs?|rpm|psi|watts?|amps?)(?![\p{L}\p{N}])`;

const MARK = /\[\[\s*([A-Z0-9]{17})\s*\]\]/giu;
const VIN = /(?<![\p{L}\p{N}])(?=(?:[a-z]*\d){3})[a-z0-9]{17}(?![\p{L}\p{N}])/giu;
const SPACED_VIN =
  /(?<![\p{L}\p{N}])[A-HJ-NPR-Z0-9]{1,16}(?:[ ._*-]{1,3}[A-HJ-NPR-Z0-9]{1,16}){1,16}(?![\p{L}\p{N}])/gu;
const PRICE = new RegExp(
  `${CURRENCY}\\s?(?<before>${NUMBER}${SCALE})|(?<after>${NUMBER}${SCALE})\\s?${CURRENCY_AFTER}`,
  'giu',
);
const MILEAGE = new RegExp(`(?<value>${NUMBER}${SCALE})[\\s-]?(?<unit>${MILES})`, 'giu');
const MEASURE = new RegExp(`(?<![\\p{L}\\p{N}])${NUMBER}[\\s-]?${UNIT}`, 'giu');
const YEAR = /(?<![\p{L}\p{N}$€£.,])(?:19[5-9]\d|20\d{2})(?![\p{L}\p{N}]|[.,]\d)/gu;
const PLAIN_NUMBER = new RegExp(`(?<![\\p{L}\\p{N}])${NUMBER}${SCALE}`, 'giu');

const PRICE_WORD =
  /\b(?:pric(?:e|ed|es|ing)|costs?|asking|pay(?:s|ing)?|sell(?:s|ing)?|sold for|worth|offer(?:ed|s)?|deal|yours|for (?:only|just)|precios?|cuestan?|vale|valen|oferta|pagar?|prix|co[uû]te(?:nt)?|payer|offre|vendu|vaut)\b/iu;
const AFTER_PRICE_WORD =
  /\b(?:pric(?:e|ed)|costs?|asking|pay|sell(?:s|ing)?|for (?:only|just)|yours for|precio|cuesta|vale|prix|co[uû]te|vaut)\b(?:\s\p{L}+){0,3}\s?[:=]?\s?$/iu;
const SPOKEN =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|grand|un|uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|ciento|cientos|mil|mill[oó]n|deux|trois|quatre|cinq|sept|huit|neuf|dix|vingt|trente|quarante|cinquante|soixante|cent|cents|mille|zero|cero|z[eé]ro)\b/iu;
const LARGE = /\b(?:hundred|thousand|million|grand|cien|cientos|mil|mill[oó]n|millones|mille|cents?)\b/iu;
const MONEY_WORD = /\b(?:dollars?|bucks|usd|d[oó]lar(?:es)?|euros?|cents)\b|[$€£]/iu;
const PROMISE = [
  /\b(?:\d[\d.,]*\s?%|half|mitad|moitié)\s*(?:off|discount|de descuento|de réduction|de remise|price|precio)\b/iu,
  /\b(?:discount(?:s|ed)?|rebates?|cash ?back|descuentos?|rebajas?|remises?|rabais|réductions?)\b[^.]*\d|\d[^.]*\b(?:off|discount(?:s|ed)?|rebates?|cash ?back|descuentos?|rebajas?|remises?|rabais|réductions?)\b/iu,
  /\b(?:for free|free of charge|free truck|no charge|costs? nothing|gratis|gratuit(?:e|ement|s)?|de regalo)\b/iu,
  /(?:\b(?:per|a|an|each|every)\s?|\/\s?)(?:month|mo|week|year)\b[^.]*\d|\d[^.]*(?:\b(?:per|a|an|each|every)\s?|\/\s?)(?:month|mo|week)\b|\d[^.]*\b(?:monthly|al mes|mensual(?:es|ité)?|par mois)\b|\b(?:monthly|mensualidad|mensualités?)\b[^.]*\d/iu,
  /\b(?:apr|interest|tasa|taux|financ\p{L}*)\b[^.]*\d[\d.,]*\s?%|\d[\d.,]*\s?%[^.]*\b(?:apr|interest|tasa|taux|financ\p{L}*)\b/iu,
  /\b(?:legally binding|guaranteed? (?:price|deal|offer)|i (?:can |will )?guarantee|price match|legalmente vinculante|juridiquement contraignant)/iu,
];
const NEGATIVE =
  /\b(?:no|not|none|nothing|neither|never|without|isn't|aren't|don't|doesn't|didn't|can't|cannot|couldn't|unavailable|ning[uú]n[oa]?|nada|nunca|tampoco|sin|aucune?|pas|rien|jamais|sans|ne)\b|\bn'/iu;
const AT_MOST =
  /(?:under|below|less than|up to|at most|no more than|maximum(?: of)?|max|within|budget(?: of| is)?|menos de|hasta|por debajo de|máximo(?: de)?|inferior(?:es)? a|presupuesto de|moins de|jusqu'à|au plus|en dessous de|sous|inférieurs? à|budget de)\s*(?:the |your |los |les |a )?$/iu;
const AT_LEAST =
  /(?:over|above|more than|at least|exceeding|between|más de|al menos|por encima de|mínimo(?: de)?|superior(?:es)? a|entre|plus de|au moins|au-dessus de|supérieurs? à)\s*(?:the |los |les |a )?$/iu;
const ABOUT =
  /(?:about|around|roughly|approximately|approx\.?|nearly|almost|~|≈|unos|cerca de|alrededor de|aproximadamente|casi|environ|près de|à peu près)\s*$/iu;
const BETWEEN_END = /(?:between|entre)\s\S{1,20}(?:\s\S{1,12}){0,2}\s(?:and|y|et|à|a)\s*$/iu;

/** A make or model that may be named. */
export interface TruckName {
  kind: 'make' | 'model';
  text: string;
  pattern: RegExp;
}

/** `exact`: in this case only, for names that are words too. */
export function truckName(
  kind: 'make' | 'model',
  text: string,
  spelling: 'any' | 'exact' = 'any',
): TruckName {
  const words = folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const joined = words.length === 0 ? '(?!)' : words.join('[^\\p{L}\\p{N}\\n]{0,2}');
  const flags = spelling === 'any' ? 'giu' : 'gu';
  return { kind, text, pattern: new RegExp(`(?<![\\p{L}\\p{N}])${joined}(?![\\p{L}\\p{N}])`, flags) };
}

/** Reads a sentence of plain speech; `names` are those it may know trucks by. */
export function claimsOf(sentence: string, names: readonly TruckName[]): Claims {
  const original = folded(sentence);
  const claims: Claim[] = [];
  let text = original;
  /** What is taken is blanked, so that nothing is read twice. */
  const take = (pattern: RegExp, claim: (match: RegExpExecArray) => Claim | 'nothing' | 'leave') => {
    for (const match of [...text.matchAll(pattern)]) {
      const found = claim(match);
      if (found === 'leave') continue;
      if (found !== 'nothing') claims.push(found);
      const end = match.index + match[0].length;
      text = text.slice(0, match.index) + ' '.repeat(match[0].length) + text.slice(end);
    }
  };
  const price = (at: number, written: string): Claim => ({
    at,
    kind: 'price',
    value: amountOf(written),
    bound: boundOf(original, at) ?? 'exact',
  });

  take(MARK, ({ index, 1: vin = '' }) => ({ at: index, kind: 'vin', vin: vin.toUpperCase() }));
  take(VIN, ({ index, 0: vin }) => ({ at: index, kind: 'vin', vin: vin.toUpperCase() }));
  const spaced = [...text.matchAll(SPACED_VIN)].some(([run]) => isSpacedVin(run));
  take(PRICE, ({ index, groups }) => price(index, groups?.before ?? groups?.after ?? ''));
  for (const { kind, text: name, pattern } of names)
    take(pattern, ({ index }) =>
      AFTER_PRICE_WORD.test(original.slice(0, index)) && /^\d/.test(name)
        ? 'leave'
        : { at: index, kind, name },
    );
  take(MILEAGE, ({ index, groups }) => ({
    at: index,
    kind: 'miles',
    value: /^k/iu.test(groups?.unit ?? '') ? Number.NaN : amountOf(groups?.value ?? ''),
    bound: boundOf(original, index) ?? (ABOUT.test(original.slice(0, index)) ? 'about' : 'exact'),
  }));
  take(MEASURE, () => 'nothing');
  take(YEAR, ({ index, 0: year }) =>
    AFTER_PRICE_WORD.test(original.slice(0, index))
      ? price(index, year)
      : { at: index, kind: 'year', value: Number(year) },
  );
  take(PLAIN_NUMBER, ({ index, 0: number }) => {
    if (AFTER_PRICE_WORD.test(original.slice(0, index))) return price(index, number);
    const value = amountOf(number);
    // Not every model is known: `International 4300`.
    if (claims.some((claim) => claim.kind === 'make' && isNext(claim, index)))
      return { at: index, kind: 'model', name: number };
    return value < 1_000 ? 'leave' : { at: index, kind: 'number', value };
  });
  function isNext({ at, name }: Extract<Claim, { name: string }>, index: number): boolean {
    return index > at && original.slice(at, index).trim().length <= name.length;
  }
  const aboutMoney = PRICE_WORD.test(original) || MONEY_WORD.test(original);
  const priced = claims.some(({ kind }) => kind === 'price');
  return {
    claims: claims.sort((a, b) => a.at - b.at),
    negative: NEGATIVE.test(original),
    question: /[?¿]/.test(original),
    promise: PROMISE.some((pattern) => pattern.test(original)),
    unreadable:
      spaced ||
      /(?![0-9])\p{Nd}/u.test(original) ||
      (!priced && SPOKEN.test(original) && MONEY_WORD.test(original)) ||
      (LARGE.test(text) && aboutMoney),
  };
}

/** `68,900`, `68.900`, `68 900`, `68.9k`, `68,900.00` → 68900; NaN for anything that is not whole. */
export function amountOf(written: string): number {
  const [, digits = '', scale = ''] = /^([\d,.' ]*\d)\s?(\p{L}*)$/u.exec(written.trim()) ?? [];
  const grouped = /^\d{1,3}([,.' ])\d{3}(?:\1\d{3})*(?:[.,](\d{1,2}))?$/.exec(digits);
  const cents = grouped?.[2];
  const whole = grouped ? digits.slice(0, cents === undefined ? undefined : -cents.length - 1) : digits;
  const value = grouped ? Number(whole.replace(/\D/g, '')) : Number(digits.replace(',', '.'));
  const fraction = cents === undefined ? 0 : Number(`0.${cents}`);
  const amount = (value + fraction) * scaleOf(scale.toLowerCase());
  const rounded = Math.round(amount);
  return Math.abs(amount - rounded) < 1e-6 ? rounded : Number.NaN;
}

function scaleOf(word: string): number {
  if (word === '') return 1;
  return word.startsWith('mill') && word !== 'mille' ? 1_000_000 : word === 'm' ? Number.NaN : 1_000;
}

function boundOf(text: string, at: number): 'least' | 'most' | null {
  const before = text.slice(0, at);
  if (BETWEEN_END.test(before) || AT_MOST.test(before)) return 'most';
  return AT_LEAST.test(before) ? 'least' : null;
}

/** A run of characters in pieces that make 17 together, with digits enough to be a VIN and not words. */
function isSpacedVin(run: string): boolean {
  const joined = run.replace(/[ ._*-]/g, '');
  return joined.length >= 17 && joined.length <= 19 && joined.replace(/\D/g, '').length >= 6;
}
