import { toPairs, toTable } from '../../truck/text/table.ts';
import { toNormalForm } from '../../truck/text/text.ts';
import { plainText } from '../../truck/text/tokens.ts';
import { joinUnits } from './words.ts';

/** The words, numbers and signs of a query in the order they were typed. */

export interface Token {
  /** As it was typed. */
  text: string;
  /** Lower case without accents; of a sign the word for it. */
  key: string;
  start: number;
  end: number;
}

const NUMBER = String.raw`(?:\d{1,3}(?: \d{3})* \d00(?! ?(?:k|m|mil)\b)|\d+(?:[.,]\d+)*)(?=(?:k|m|mil|kms?|mi|miles|lbs?|usd|cad|mxn)?(?![\p{L}\p{N}]))`;
/** Between two numbers a dash makes a range; inside of names it only parts words. */
const RANGE = String.raw`(?<=(?<![\p{L}\p{N}-])[\d.,]+ ?(?:k|\$|mi|km|miles|dollars|d[oó]lares)? ?)[-–—/](?= ?[$\d])`;
const MONEY = String.raw`(?<!\p{L})(?:us|ca?|can|cad|cdn|mxn?)?\$`;
const TOKEN = new RegExp(
  `${MONEY}|${RANGE}|[<>]=?|(?<=\\d ?k? ?)\\+|\\p{Sc}|[#"”″&,;]|${NUMBER}|[\\p{L}\\p{M}\\p{N}]+`,
  'giu',
);

/** Signs by themselves and, behind a colon, letters in front of a dollar sign. */
const SIGNS = toTable(
  toPairs(`
    < under, <= under, > over, >= over, + up, & and, - to, – to, — to, / to, # lb, " inch, ” inch, ″ inch, $ dollars,
    us$ usd, c$ cad, ca$ cad, can$ cad, cad$ cad, cdn$ cad, m$ mxn, mx$ mxn, mxn$ mxn
  `),
);

/** `18-22`, where no unit makes a size of it. */
const SHORT_YEARS =
  /(?<![\w$-])([012]\d) ?- ?([012]\d)(?![\w'"-]| ?(?:ft|foot|feet|in|inch|k|speed|spd|sp|yd|yards?|tons?|pass(?:enger)?s?)\b)/;
const toYear = (digits: string) => (Number(digits) >= 80 ? `19${digits}` : `20${digits}`);

/** `'19` is a year; `500 hp`, `26 ft` and `13 spd` are one word each in listings. */
function spellOut(query: string) {
  const text = toNormalForm(query, 'NFC')
    .replace(/\bw\/\s?o(?=\W|$)/gi, 'without')
    .replace(/\bw\//gi, 'with ')
    .replace(/(?<![\w'’"])['’](\d\d)(?![\w'’"])/g, (_, digits: string) => toYear(digits))
    .replace(SHORT_YEARS, '20$1-20$2')
    .replace(/\b(cl(?:ass|ase|asse)?)[_ ]?([3-8])\b/i, '$1 $2')
    .replace(/(?<!\d)(\d{3}) (?:hp|horsepower|caballos)\b/i, '$1hp')
    .replace(/(?<![\d.,])(\d{1,2}\.\d)[ -]?(?:lts?|lit(?:er|re|ro)s?)\b/i, '$1l');
  return joinUnits(text);
}

const MAX_TOKENS = 60;

export function tokenize(query: string): { text: string; tokens: Token[] } {
  const text = spellOut(query);
  const tokens = Array.from(text.matchAll(TOKEN), ({ 0: word, index: start }) => {
    const plain = plainText(word);
    // Prices are dollars or pesos: any other sign of a currency is one that no listing has.
    const key = SIGNS[plain] ?? (/^\p{Sc}$/u.test(plain) ? 'euro' : plain);
    const end = start + word.length;
    // Of the number behind it, not of one before: `389 $100k`.
    const isSign = word.endsWith('$') && /\d/.test(text[end] ?? '');
    return { text: word, key: isSign ? `sign${key}` : key, start, end };
  });
  return { text, tokens: tokens.slice(0, MAX_TOKENS) };
}
