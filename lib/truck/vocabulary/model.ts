import { toTable } from '../text/table.ts';
import { foldKey } from '../text/text.ts';
import { SERIES, TRADE_NAMES } from './series.ts';

/** Canonical spellings of models. */

/** Models with the name of a product line, by make, and what they become without it. */
const MODEL_LINES: Readonly<Record<string, readonly (readonly [pattern: string, model: string])[]>> = toTable(
  {
    Ford: [
      [
        '^super duty (f-?\\s?[2-7]50|f-?\\s?600)\\b(?: (?:drw|srw|cab chassis|chassis cab))*',
        '$1 Super Duty',
      ],
      ['^(f-?\\s?[2-7]50|f-?\\s?600) (?:sd|superduty|s/d)\\b', '$1 Super Duty'],
      ['^econoline commercial (?:cutaway|chassis|stripped chassis) (e-?\\s?[1-4]50)\\b', '$1'],
    ],
    Freightliner: [
      ['^business class (m2\\b)', '$1'],
      // The factory's codes: series, bumper to back of cab, sleeper or day cab.
      ['^(?:ca|pt) ?(11[36]|12[56])(?:slp|dc)?\\b', 'Cascadia $1'],
      ['^cl ?(112|120)(?:slp|dc)?\\b', 'Columbia $1'],
    ],
  },
);
const LINES = new Map(
  Object.entries(MODEL_LINES).map(([make, lines]) => [
    make,
    lines.map(([pattern, model]) => [new RegExp(pattern, 'i'), model] as const),
  ]),
);

/** The canonical spelling of a make's series, by its letters and digits. */
const SPELLINGS = new Map(
  Object.entries(SERIES).map(([make, names]) => [
    make,
    new Map(
      names
        .split(', ')
        .filter((name) => !/^(?:Pete|Ram|Hino) /.test(name))
        .reverse()
        .map((name) => [foldKey(name), name]),
    ),
  ]),
);

/** Returns a model's canonical spelling; a factory code becomes its trade name (`SF625` → `WorkStar 7400`). Idempotent. */
export const canonicalModel = (text: string, make: string): string =>
  (make === 'International' && TRADE_NAMES.get(foldKey(withoutMake(text, make)))) || spellModel(text, make);

/**
 * Removes the make in front of a model and spells its series canonically: `Kenworth T-680` → `T680`, `F550 SD` → `F-550
 * Super Duty`. Idempotent.
 */
export function spellModel(text: string, make: string): string {
  const bare = withoutMake(text, make);
  const line = LINES.get(make)?.find(([pattern]) => pattern.test(bare));
  return spellSeries(line ? bare.replace(...line) : bare, make);
}

function withoutMake(text: string, make: string): string {
  const prefix = `${make.toLowerCase()} `;
  const rest = text.toLowerCase().startsWith(prefix) ? text.slice(prefix.length).trim() : '';
  return rest === '' ? text : withoutMake(rest, make);
}

const MAX_WORDS = 3;

/** Spells the longest series that the model begins with. */
function spellSeries(model: string, make: string): string {
  const spellings = SPELLINGS.get(make);
  const words = model.split(/([\s-]+)/);
  for (let count = MAX_WORDS; count > 0; count -= 1) {
    const end = count * 2 - 1;
    const spelling = spellings?.get(foldKey(words.slice(0, end).join('')));
    if (spelling !== undefined) return `${spelling} ${words.slice(end + 1).join('')}`.trim();
  }
  return model;
}
