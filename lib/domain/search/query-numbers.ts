import { type Currency, currencyIn } from '../text/currency.ts';
import { MILES_PER_KM } from '../text/numbers.ts';
import { toTable } from '../text/table.ts';
import { plainText } from '../text/tokens.ts';
import { truckClass } from '../vocabulary/weight-class.ts';
import { AT_LEAST, AT_MOST, type Take, TO } from './query-bounds.ts';
import { readWeights } from './query-weights.ts';

/** The numbers of a query that say what they are: prices, miles, model years, weight classes. */

export interface QueryNumbers {
  year?: number[] | undefined;
  year_min?: number[] | undefined;
  year_max?: number[] | undefined;
  price_min?: number[] | undefined;
  price_max?: number[] | undefined;
  mileage_min?: number[] | undefined;
  mileage_max?: number[] | undefined;
  class?: string[] | undefined;
}

const AMOUNT = String.raw`((?:(?<!\w)(?:(?:us|cad|cdn|mxn) ?|ca|c|can|mx))?\$|(?:usd|cad|cdn|mxn) )? ?(\d{1,3}(?:[, .]\d{3})+|\d+(?:\.\d+)?) ?(k\b|thousand\b|grand\b|mil\b|mille\b|mill(?:on|ion)(?:e?s)?\b|mdp\b|m\b)?`;
const UNIT = String.raw`(?: ?(?:de )?(us ?dollars?\b|us ?\$|\$ ?(?:us|cad?|cdn|can|mxn?)\b|\$|usd\b|dollars?\b|dolares\b|bucks\b|miles?\b|mi\b|millas\b|milles?\b|kms?\b|kilometers?\b|mileage\b|millaje\b|kilometrajes?\b|kilometrage\b))?`;
const YEAR = String.raw`((?:19[89]|20\d)\d)`;
/** Said before a number it says what the number counts; behind one it is the unit of that. */
const ODOMETER = String.raw`(?<!\w)(?<!\d ?(?:k|mil|thousand)? ?)(mileage|miles|odometer|odo|millas|millaje|milles|kilometraje|kilometrage|kms?)(?: (?:is|of|de))?:? `;

const NEWER =
  'newer|up|later|above|better|mas nuev[oa]s?|mas recientes?|superior(?:es)?|posterior(?:es)?|plus(?: recente?s?)?|apres';
const ONWARDS =
  'up(?! ?to\\b)|newer|onwards?|min(?:imum)?|minimo|en adelante|para arriba|para aca|a la fecha|en montant|et plus';
const SINCE =
  'since|from|desde(?: el)?|depuis|(?:no|not|nothing|none) older than|no mas viej[oa]s? (?:que|de)|pas plus vieux que';
/** What is counted by thousands is no year. */
const COUNTED = String.raw`(?:km|mi|lb|kg|gal|litr|lts?\b|hp|\$|usd|dol|pesos)`;

const PATTERNS = {
  yearRange: new RegExp(`(?<![$\\d])(?:(?:between|from|entre|de) )?${YEAR} ?${TO} ?${YEAR}(?!\\d)`),
  yearFrom: new RegExp(
    `(?<![$\\d])${YEAR} ?(?:\\+|(?:or|and|&|y|o|et|ou) ?(?:${NEWER})(?!\\w)|(?:${ONWARDS})(?!\\w))|(?<!\\w)(?:${SINCE}|${AT_LEAST}) ${YEAR}(?![\\d,]|k\\b| ?${COUNTED})`,
  ),
  /** From the year after. */
  yearAfter: new RegExp(
    `(?<!\\w)(?:newer than|after|mas nuev[oa]s? que|despues de|plus recente? que|apres) ${YEAR}(?!\\d)`,
  ),
  yearTo: new RegExp(
    `(?<![$\\d])${YEAR} ?(?:or|and|&|y|o|et|ou) ?(?:older|earlier|before|anterior|plus vieux)|(?<!\\w)(?:up to|hasta|jusqu.?a|(?:no|not|nothing|none) newer than) ${YEAR}(?![\\d,]|k)`,
  ),
  /** To the year before. */
  yearBefore: new RegExp(
    `(?<!\\w)(?:older than|before|pre|anterior(?:es)? a|antes de|avant)[ -]${YEAR}(?![\\d,]|k)`,
  ),
  /** `18-22`, where no unit makes a size of it. */
  shortYears:
    /(?<![\w$'-])'?(0\d|1\d|2\d) ?- ?'?(0\d|1\d|2\d)(?![\w'"-]| ?(?:ft|foot|feet|in|inch|k|speed|spd|sp|yd|yards?|tons?|pass(?:enger)?s?)\b)/,
  between: new RegExp(`(?:between|from|entre|de)? ?${AMOUNT} ?${TO} ?${AMOUNT}${UNIT}`),
  milesBetween: new RegExp(`${ODOMETER}(?:(?:between|from|entre|de) )?${AMOUNT} ?${TO} ?${AMOUNT}${UNIT}`),
  milesBound: new RegExp(`${ODOMETER}(?:(${AT_MOST})|(${AT_LEAST})) ?${AMOUNT}${UNIT}`),
  payment: new RegExp(
    `(?<!\\w)(?:${AT_MOST} ?)?${AMOUNT} ?(?:\\/|an? |per |al |por |par )?(?:monthly|months?|mo|mes|mois|weekly|week|wk)(?!\\w)`,
  ),
  atMost: new RegExp(`(?<!\\w)${AT_MOST} ?${AMOUNT}${UNIT}`),
  atLeast: new RegExp(`(?<!\\w)${AT_LEAST} ?${AMOUNT}${UNIT}`),
  alone: new RegExp(`(?<![\\w.,$])${AMOUNT}${UNIT}(?![\\w.,])(?: max(?:imum)?(?!\\w))?`),
  class:
    /(?<!\w)(?:class(?:es)?|clase|classe|cl)[ _-]?([1-8]|viii|vii|vi|iv|v|iii)[ab]?(?: ?(?:\/|-|,|to|and|or|y|et|a) ?([1-8])(?!\d))?(?!\w)/,
  /** Up to 26,000 lb nobody needs a commercial driver's licence. */
  licence:
    /(?<!\w)(?:under|non|no|sin|sans|not|without)(?: an?)?[ -]?cdl(?: (?:needed|required|necessary))?(?!\w)|(?<!\w)cdl(?: is)? not (?:needed|required|necessary)(?!\w)|(?:not?|n.?t) (?:need|require)s?(?: for)?(?: an?)? cdl(?!\w)/,
  duty: /(?<!\w)(heavy|medium|light)[ -]duty(?!\w)|(?<!\w)servicio (pesado|mediano)(?!\w)/,
};

const ROMAN: Readonly<Record<string, number>> = toTable({ iii: 3, iv: 4, v: 5, vi: 6, vii: 7, viii: 8 });
const DUTY: Readonly<Record<string, readonly number[]>> = toTable({
  heavy: [7, 8],
  pesado: [7, 8],
  medium: [4, 5, 6, 7],
  mediano: [4, 5, 6, 7],
  light: [3],
});

/** Takes the numbers out of a query. What is `asked` for otherwise is not read. */
export function readNumbers(
  query: string,
  isFree: (filter: string) => boolean,
): { numbers: QueryNumbers; currency: Currency | null; rest: string; dropped: string[] } {
  const numbers: QueryNumbers = {};
  const dropped: string[] = [];
  let rest = query;
  const take: Take = (pattern, read) => {
    const plain = plainText(rest);
    const match = plain.length === rest.length ? pattern.exec(plain) : pattern.exec(rest.toLowerCase());
    if (!match) return;
    const behind = rest.slice(match.index + match[0].length);
    const isTaken = read(match.slice(1), behind.toLowerCase());
    if (isTaken === 'dropped') dropped.push(match[0].trim());
    if (isTaken) rest = `${rest.slice(0, match.index)} ${behind}`;
  };
  readWeights(take, (classes) => {
    if (isFree('class')) numbers.class ??= toClasses(classes);
  });
  if (isFree('class')) {
    take(PATTERNS.class, ([low, high]) => setClasses(numbers, low ?? '', high));
    take(PATTERNS.licence, () => {
      numbers.class ??= toClasses([3, 4, 5, 6]);
      return true;
    });
    take(PATTERNS.duty, ([english, spanish]) => {
      numbers.class ??= toClasses(DUTY[english ?? spanish ?? ''] ?? []);
      return true;
    });
  }
  if (isFree('year')) readYears(numbers, take);
  const currency = readAmounts(numbers, take, isFree);
  return { numbers, currency, rest, dropped };
}

const toClasses = (classes: readonly number[]): string[] =>
  classes.flatMap((weightClass) => truckClass(weightClass) ?? []);

function setClasses(numbers: QueryNumbers, low: string, high: string | undefined): boolean {
  const from = ROMAN[low] ?? Number(low);
  const to = high === undefined ? from : Number(high);
  const classes = toClasses(Array.from({ length: Math.max(to - from, 0) + 1 }, (_, step) => from + step));
  if (classes.length > 0) numbers.class = classes;
  return classes.length > 0;
}

function readYears(numbers: QueryNumbers, take: Take): void {
  take(PATTERNS.yearRange, ([from, to]) => {
    const [low = 0, high = 0] = [Number(from), Number(to)].sort((a, b) => a - b);
    numbers.year_min = [low];
    numbers.year_max = [high];
    return true;
  });
  take(PATTERNS.shortYears, ([from, to]) => {
    if (numbers.year_min !== undefined || Number(from) >= Number(to)) return false;
    numbers.year_min = [2_000 + Number(from)];
    numbers.year_max = [2_000 + Number(to)];
    return true;
  });
  const takeBound = (pattern: RegExp, bound: 'year_min' | 'year_max', step: number) =>
    take(pattern, (groups) => {
      numbers[bound] ??= [Number(groups.find((year) => year !== undefined)) + step];
      return true;
    });
  takeBound(PATTERNS.yearFrom, 'year_min', 0);
  takeBound(PATTERNS.yearTo, 'year_max', 0);
  takeBound(PATTERNS.yearAfter, 'year_min', 1);
  takeBound(PATTERNS.yearBefore, 'year_max', -1);
}

/** Returns the currency that a price is said to be in: `$` and `dollars` are Canada's too. */
function readAmounts(
  numbers: QueryNumbers,
  take: Take,
  isFree: (filter: string) => boolean,
): Currency | null {
  let currency: Currency | null = null;
  const set: SetBound = (bound, [sign, digits, scale, unit], least = 1_000) => {
    const value = toAmount(digits ?? '', scale);
    const kind = unit !== undefined && /^[mk]/.test(unit) ? 'mileage' : 'price';
    const isSure = sign !== undefined || unit !== undefined || scale !== undefined;
    if (value < least || !(isSure || value >= 2_200) || !isFree(kind)) return false;
    const miles = unit?.startsWith('k') ? Math.round(value * MILES_PER_KM) : value;
    numbers[`${kind}_${bound}`] ??= [miles];
    if (kind === 'price') currency ??= currencyIn(`${sign ?? ''} ${unit ?? ''}`.trim());
    return true;
  };
  take(PATTERNS.payment, () => 'dropped');
  readOdometer(take, set);
  take(PATTERNS.between, ([sign, low, scale, otherSign, high, otherScale, unit]) => {
    if (sign === undefined && otherSign === undefined && otherScale === undefined && unit === undefined)
      return false;
    const money = sign ?? otherSign;
    return (
      set('min', [money, low, scale ?? otherScale, unit]) &&
      set('max', [money, high, otherScale ?? scale, unit])
    );
  });
  // Of miles and of dollars.
  for (let times = 0; times < 2; times += 1) {
    take(PATTERNS.atMost, (groups) => set('max', groups));
    take(PATTERNS.atLeast, (groups) => set('min', groups));
  }
  take(PATTERNS.alone, ([sign, digits, scale, unit]) => {
    if (sign === undefined && scale === undefined && unit === undefined) return false;
    return set('max', [sign, digits, scale, unit], 5_000);
  });
  return currency;
}

type SetBound = (bound: 'min' | 'max', amount: readonly (string | undefined)[], least?: number) => boolean;

/** `mileage under 400k`: what is counted stands first. Money is what its sign says. */
function readOdometer(take: Take, set: SetBound): void {
  const toUnit = (odometer = '') => (odometer.startsWith('k') ? 'km' : 'miles');
  take(PATTERNS.milesBetween, ([odometer, sign, low, scale, otherSign, high, otherScale, said]) => {
    const unit = said ?? toUnit(odometer);
    if (sign !== undefined || otherSign !== undefined) return false;
    const isLow = set('min', [sign, low, scale ?? otherScale, unit]);
    return isLow && set('max', [sign, high, otherScale ?? scale, unit]);
  });
  take(PATTERNS.milesBound, ([odometer, most, , sign, digits, scale, said]) => {
    if (sign !== undefined) return false;
    return set(most === undefined ? 'min' : 'max', [sign, digits, scale, said ?? toUnit(odometer)]);
  });
}

function toAmount(digits: string, scale: string | undefined): number {
  const grouped = /^\d{1,3}(?:[, .]\d{3})+$/.test(digits);
  const value = Number(grouped ? digits.replace(/\D/g, '') : digits);
  if (scale === undefined) return Math.round(value);
  // Thousands are `m` only where they are `mil` or `mille`.
  return Math.round(value * (/^m(?:$|dp|ill[io])/.test(scale) ? 1_000_000 : 1_000));
}
