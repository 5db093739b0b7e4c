import { withoutCurrency } from './currency.ts';
import { DOLLARS, readNumber, type Units } from './numbers.ts';
import { PLACEHOLDERS, toNormalForm } from './text.ts';

/** Reads amounts with words around them: `$129,500 OBO`, `54 900`, `412,350+ (verified)`, `33,000 lb (14,969 kg)`. */

/** A number; `isShortened` is true if words were left out. */
export interface Amount {
  value: number;
  isShortened: boolean;
}

const MAX_LENGTH = 60;
/** Words that do not change the amount. */
const DECORATION = new Set(
  [
    'obo or best offer firm asking ask price priced now only sale special plus fet tax taxes ttl tt&l each ea verified actual exempt',
    'ecm on net neg negotiable reduced sharp original per title documented approx approximately about title. mileage odometer reading',
    'starting at the is cash delivered fob list our internet web today + * ! ~ - : precio negociable ferme négociable vendido rated',
    'gvwr gvw capacity true tmu show shows showing so far total reads odo certified guaranteed on only odo highway hwy local',
    'to trade trades considered today special final clearance blowout funds drive away driveaway doc fee fees license incl including included',
    'drop ono o.n.o title license & appx appx. approx. tx tps tvq taxas',
    'as as-is cada uno una unidad desde partir a à dès de',
    'excl excluding plated rating max non-cdl noncdl non cdl under o.b.o b o gst hst pst qst iva impuestos impuesto mas más taxe c u',
  ].flatMap((line) => line.split(' ')),
);

/** Reads the only amount of a text, ignoring parentheses; null if there is none, or several. */
export function readAmount(raw: unknown, units: Units): Amount | null {
  const plain = readNumber(raw, units);
  if (plain !== null) return { value: plain, isShortened: false };
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH) return null;
  const lower = toNormalForm(raw, 'NFKC').toLowerCase().trim();
  const text = withoutAsides(spellOut(units === DOLLARS ? withoutCurrency(lower) : lower));
  const words = text
    .replace(/(?<![\d.,])\d{1,3}(?: \d{3})+(?![\d.,])/g, (digits) => digits.replaceAll(' ', ''))
    .replace(/\([^()]*\)/, ' + ')
    .replace(/[*!+~]+/g, ' + ')
    .split(/[\s/]+/)
    .filter((word) => word !== '');
  const amountWords = words.filter(
    (word) => !DECORATION.has(word.replace(/[,.;:]+$/, '')) || Object.hasOwn(units, word),
  );
  const value = readNumber(amountWords.join(' ').replace(/[,;]$/, ''), units);
  return value === null ? null : { value, isShortened: amountWords.length < words.length };
}

/** Unambiguous spellings of numbers in Mexico and Quebec. */
const SPELLINGS: readonly (readonly [RegExp, (digits: string) => string])[] = [
  // 1.320.000,00
  [/(?<![\d.,])\d{1,3}(?:\.\d{3}){2,9}(?:,\d\d?)?(?![\d.,])/, dropCents],
  // 59 900,00
  [/(?<![\d.,])\d{1,3}(?: \d{3}){1,9},\d\d(?![\d.,])/, dropCents],
  [/(?<![\d.,])\d{4,9},\d\d(?![\d.,])/, dropCents],
  // 1'150,000
  [/(?<=\d)['’´](?=\d{3})/, () => ','],
];

/** Removes cents, which are two digits after a comma. */
function dropCents(text: string): string {
  const [units = ''] = text.split(',');
  return units.replace(/[. ]/g, '');
}

const spellOut = (text: string): string =>
  SPELLINGS.reduce((result, [pattern, write]) => result.replace(pattern, write), text);

/** Remarks beside the amount that contain numbers of their own. */
const ASIDES = [
  /[\s,/;(]*\bclass \d[ab]?\b\)?/,
  /\s*[/,;&]?\s*\b(?:\d{1,3}(?: \d{3})+|\d[\d,]*) ?(?:hours|hrs?|horas|heures)\b\.?/,
  /\bf\.?o\.?b\.?\s.*$/,
  /\.-(?=\s|$)/,
];

/** Removes remarks from a text, unless no number remains. */
function withoutAsides(text: string): string {
  const amount = ASIDES.reduce((result, aside) => result.replace(aside, ''), text).trim();
  return /\d/.test(amount) ? amount : text;
}

/** Beginnings of texts for a price on request: `Call`, `Call for price`, `POA`, `TBD soon`. */
const CALL =
  /^(?:CALL|CONTACT|INQUIRE|ENQUIRE|ASK|REQUEST|PLEASE|PRICE|POA|POR|TB[AD]|NO$|NOPRICE|SOLD|LLAME|LLAMAR|CONSULT|PREGUNT|APPEL|SURDEMANDE|QUOTE|(?:MAKE(?:AN|US)?|BEST|OPENTO)?OFFER|OBO$|NEGOTIABLE)/;

/** True for a text that means a price on request. */
export function asksToCall(text: string): boolean {
  if (/\d/.test(text)) return false;
  const key = text
    .slice(0, 200)
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return PLACEHOLDERS.has(key) || CALL.test(key);
}
