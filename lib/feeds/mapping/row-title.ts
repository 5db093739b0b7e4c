import { flatText } from '../../truck/text/text.ts';
import { toTokens } from '../../truck/text/tokens.ts';
import { BODY_PHRASES, toBodyTokens } from '../../truck/vocabulary/body.ts';
import { canonicalMake, isKnownMake } from '../../truck/vocabulary/make.ts';
import { DRIVE_PHRASES } from '../../truck/vocabulary/resolve.ts';

const MAX_TITLE = 200;
const YEAR = /(?<![\d-])(?:19[89]|20[0-4])\d(?![\d-])/;

/**
 * The fields of a truck in one text of a row, `2015 Kenworth T800 Tri-Drive Gravel Truck`, as small dealers' lists have it:
 * of the first that names all of a model year, a known make and a model.
 */
export function readRowTitle(values: readonly unknown[]): Record<string, unknown> {
  for (const value of values) {
    const text = flatText(value);
    const year = text.length > MAX_TITLE ? undefined : YEAR.exec(text)?.[0];
    if (year === undefined) continue;
    const { make, rest } = canonicalMake(text.replace(year, ' ').trim());
    if (rest !== undefined && isKnownMake(make)) return { year: Number(year), make, ...splitModel(rest) };
  }
  return {};
}

function splitModel(text: string): Record<string, string> {
  const words = text.split(/\s+/);
  const end = words.findIndex((_, at) => at > 0 && endsModel(words.slice(at)));
  if (end < 0) return { model: text };
  return { model: words.slice(0, end).join(' '), body_type: words.slice(end).join(' ') };
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
