import { toPairs } from '../../contract/record/to-list.ts';
import { toNormalForm } from '../text/normal-form.ts';
import { toTable } from '../text/table.ts';
import { foldKey } from '../text/text.ts';
import { joinGears, joinLengths } from './joined-units.ts';

/** The words of a query, out of which readers take what they understand. */

const MAX_WORDS = 12;

/** The words of a query as they were sent. */
export function splitQuery(query: string): string[] {
  return toNormalForm(query, 'NFC')
    .replace(/\bw\/\s?o(?=\W|$)/gi, ' without ')
    .replace(/\bw\//gi, ' with ')
    .split(/[\s,;|'"’”\\/]+/)
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .slice(0, MAX_WORDS);
}

/** Some neighbouring words of a query. */
export interface QueryWords {
  text: string;
  key: string;
  count: number;
  at: number;
  /** The word behind them. */
  next: string | undefined;
}

const MAX_COUNT = 4;

/** What some words of a query name, and the words as they were typed. */
export interface Taken<Value> {
  values: Value[];
  typed: string[];
}

/**
 * Takes the words that `named` understands out of `texts`, those that are most words together first; null when it
 * understands none.
 */
export function takeWords<Value>(
  texts: string[],
  named: (words: QueryWords) => readonly Value[],
): Taken<Value> | null {
  const values = new Set<Value>();
  const typed: string[] = [];
  for (let count = MAX_COUNT; count > 0; count -= 1) {
    for (let at = 0; at + count <= texts.length; at += 1) {
      const text = texts.slice(at, at + count).join(' ');
      const found = named({ text, key: foldKey(text), count, at, next: texts[at + count] });
      if (found.length === 0) continue;
      typed.push(...texts.splice(at, count));
      for (const value of found) values.add(value);
      at -= 1;
    }
  }
  return values.size > 0 ? { values: [...values], typed } : null;
}

/** Round numbers of money and miles, in English, Spanish and French. */
const ROUND: Readonly<Record<string, string>> = toTable(
  toPairs(`
    ten 10, fifteen 15, twenty 20, thirty 30, forty 40, fifty 50, sixty 60, seventy 70, eighty 80, ninety 90, hundred 100,
    diez 10, quince 15, veinte 20, treinta 30, cuarenta 40, cincuenta 50, sesenta 60, setenta 70, ochenta 80, noventa 90, cien 100,
    dix 10, quinze 15, vingt 20, trente 30, quarante 40, cinquante 50, soixante 60, cent 100
  `),
);
const THOUSANDS =
  /(?<!\p{L})(?:(?:a|one) (?=hundred))?(\p{L}{3,9})(?=[ -](?:thousand|grand|mil|mille|k)(?!\p{L}))/giu;
/** `'19`; `6'19` and `19'` are lengths. */
const SHORT_YEAR = /(?<![\w'’"])['’](\d\d)(?![\w'’"])/g;

const toYear = (digits: string) => (Number(digits) >= 80 ? `19${digits}` : `20${digits}`);

/** `500 hp`, `26 ft` and `13 spd` are one word each in listings; half a million and fifty thousand are written out. */
export const writeNumbers = (query: string): string =>
  joinLengths(
    joinGears(
      query
        .replace(SHORT_YEAR, (_, digits: string) => toYear(digits))
        .replace(THOUSANDS, (text, word: string) => ROUND[word.toLowerCase()] ?? text)
        .replace(/(?<=\d ?k?) on (?:it|(?:the )?(?:clock|odometer|odo))(?!\w)/i, ' miles')
        .replace(/(?<!\d)(\d{3}) (?:hp|horsepower|caballos)\b/i, '$1hp')
        .replace(/(?<![\d.,])(\d{1,2}\.\d)[ -]?(?:lts?|lit(?:er|re|ro)s?)\b/i, '$1l')
        .replace(/\b(?:half a|medio|un demi)[ -](?=mill(?:[oó]n|ion)\b)/i, '0.5 ')
        .replace(/\b(?:one|an?|un) (?=mill(?:[oó]n|ion)\b)/i, '1 ')
        .replace(/\b(?:two|dos|deux) (?=mill(?:ones|ions)\b)/i, '2 '),
    ),
  );
