import { editDistance } from '../vocabulary/make.ts';
import {
  COLUMN_NAMES,
  NUMBERED_IMAGES,
  PART_NAMES,
  PASSING_NAMES,
  PRIVATE_NAMES,
  WEAK_NAMES,
} from './feed-layouts.ts';

/** What a column of a dealer's file is about, by its name alone. */

export type RecordField = keyof typeof COLUMN_NAMES;
/** `dealer` is never guessed: only a dealer can say that a column holds slugs. */
export type FeedTarget = RecordField | keyof typeof PART_NAMES | 'dealer';

export interface ColumnMeaning {
  field: FeedTarget;
  /** Position among the names of the field: the lowest wins. */
  rank: number;
  /** The values have to agree. */
  weak: boolean;
}

/** True for what a dealer's own mapping may name. */
export function isFeedTarget(field: string): field is FeedTarget {
  return field === 'dealer' || Object.hasOwn(COLUMN_NAMES, field) || Object.hasOwn(PART_NAMES, field);
}

/** Fields that take any number of columns. */
export const LIST_FIELDS: ReadonlySet<FeedTarget> = new Set<FeedTarget>(['images', 'features', 'feature']);

/** Lower case, letters and digits only: what names are compared by. */
export function foldColumn(name: string): string {
  return name
    .slice(0, 300)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const WEAK = new Set(WEAK_NAMES.map(foldColumn));
const UNKEPT = new Set([...PRIVATE_NAMES, ...PASSING_NAMES].map(foldColumn));
const NUMBERED = new RegExp(`^(?:${NUMBERED_IMAGES.map(foldColumn).join('|')})\\d{1,3}(?:url|link)?$`);

const MEANINGS = meanings();

function meanings(): ReadonlyMap<string, readonly ColumnMeaning[]> {
  const found = new Map<string, ColumnMeaning[]>();
  const fields = Object.entries({ ...COLUMN_NAMES, ...PART_NAMES }) as [FeedTarget, readonly string[]][];
  for (const [field, names] of fields) {
    for (const [rank, name] of names.entries()) {
      const key = foldColumn(name);
      const known = found.get(key) ?? [];
      found.set(key, known);
      if (!known.some((meaning) => meaning.field === field)) known.push({ field, rank, weak: WEAK.has(key) });
    }
  }
  return found;
}

/** All a name may mean, the most likely first. */
export function meaningsOf(name: string): readonly ColumnMeaning[] {
  const key = foldColumn(name);
  const known = MEANINGS.get(key);
  if (known) return known;
  return NUMBERED.test(key) ? [{ field: 'images', rank: 50 + numberIn(key), weak: false }] : [];
}

function numberIn(key: string): number {
  return Number(/\d+/.exec(key)?.[0] ?? 0);
}

/** The first thing a name means; null when it is in no vocabulary. */
export function columnField(name: string): FeedTarget | null {
  return meaningsOf(name)[0]?.field ?? null;
}

/** Whether a column is kept as an attribute when it has no other meaning. */
export function isKept(name: string): boolean {
  return !UNKEPT.has(foldColumn(name));
}

/** Words that say nothing of what a column holds. */
const FILLERS =
  /\b(?:vehicle|truck|unit|number|num|no|the|of|usd|lbs?|in|text|value|name|field|data|dealer|listing)\b/g;

/** The name without units in brackets and words that say nothing. */
export function bareColumn(name: string): string {
  return foldColumn(
    name
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
      .replace(/[_./#-]/g, ' ')
      .replace(FILLERS, ' '),
  );
}

/** The field whose name is spelled nearly so, with one slip in 5 to 7 characters, two in more; null if not just one. */
export function misspelled(name: string): FeedTarget | null {
  const key = foldColumn(name);
  if (key.length < 5 || key.length > 40) return null;
  const slips = key.length < 8 ? 1 : 2;
  let best = slips + 1;
  let fields = new Set<FeedTarget>();
  for (const [known, [meaning]] of MEANINGS) {
    if (!meaning || meaning.weak || known.length < 5 || Math.abs(known.length - key.length) > slips) continue;
    // What differs in its digits is another column of a series, not a slip.
    if (known.replace(/\D/g, '') !== key.replace(/\D/g, '')) continue;
    const distance = editDistance(key, known);
    if (distance > best || distance > slips) continue;
    if (distance < best) fields = new Set();
    best = distance;
    fields.add(meaning.field);
  }
  const [field] = fields;
  return fields.size === 1 && field ? field : null;
}
