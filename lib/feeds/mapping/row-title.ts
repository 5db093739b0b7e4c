import { flatText } from '../../domain/text/text.ts';
import { toTokens } from '../../domain/text/tokens.ts';
import { BODY_PHRASES, toBodyTokens } from '../../domain/vocabulary/body.ts';
import { canonicalMake, isKnownMake, NO_HINTS } from '../../domain/vocabulary/make.ts';
import { DRIVE_PHRASES } from '../../domain/vocabulary/resolve.ts';

/** A truck in one text, `2015 Kenworth T800 Tri-Drive Gravel Truck`, as small dealers' lists have it. */
export interface RowTitle {
  year: number;
  make: string;
  model: string;
  /** What stands behind the model; '' for nothing. */
  body: string;
}

const MAX_TITLE = 200;
const YEAR = /(?<![\d-])(?:19[89]|20[0-4])\d(?![\d-])/;
const MAX_MAKE_WORDS = 3;

/** The parts of such a text; null when it does not name all of a model year, a known make and a model. */
export function readRowTitle(value: unknown): RowTitle | null {
  const text = flatText(value);
  const year = text.length > MAX_TITLE ? null : YEAR.exec(text)?.[0];
  if (!year) return null;
  const words = text.replace(year, ' ').trim().split(/\s+/);
  const count = countMakeWords(words);
  const [first, ...rest] = words.slice(count);
  if (count === 0 || first === undefined) return null;
  const end = rest.findIndex((_, at) => endsModel(rest.slice(at)));
  const more = end < 0 ? rest : rest.slice(0, end);
  const body = end < 0 ? [] : rest.slice(end);
  return {
    year: Number(year),
    make: words.slice(0, count).join(' '),
    model: [first, ...more].join(' '),
    body: body.join(' '),
  };
}

function countMakeWords(words: readonly string[]): number {
  for (let count = MAX_MAKE_WORDS; count > 0; count -= 1) {
    const { make, rest } = canonicalMake(words.slice(0, count).join(' '), NO_HINTS);
    if (words.length > count && rest === undefined && isKnownMake(make)) return count;
  }
  return 0;
}

/** A body, the driven wheels, or a size: what a truck is beside its model. */
function endsModel(words: readonly string[]): boolean {
  const [first = ''] = words;
  const text = words.join(' ');
  return (
    /^\d+(?:ft|['’"”])/i.test(first) ||
    BODY_PHRASES.startingAt(toBodyTokens(text), 0) !== null ||
    DRIVE_PHRASES.startingAt(toTokens(text), 0) !== null
  );
}
