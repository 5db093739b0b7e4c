import { entryFor, FIELD_NAMES, RECORD, type RecordName, typedKeys } from '../../contract/record/record.ts';
import { indexNearWords } from '../names/near-words.ts';
import { toNormalForm } from '../text/normal-form.ts';
import { isPrivateName } from '../text/private-names.ts';
import { once, remember } from '../text/remember.ts';
import { toTable } from '../text/table.ts';
import { plainText } from '../text/tokens.ts';
import { NUMBERED_IMAGES, PART_NAMES, PASSING_NAMES } from './feed-layouts.ts';

/** What a column of a dealer's file is about, by its name alone. */

/** A column holds a field of the record, or a part of one. */
export type FeedTarget = Exclude<RecordName, 'attributes'> | keyof typeof PART_NAMES;

export interface ColumnMeaning {
  field: FeedTarget;
  /** Position among the names of the field: the lowest wins. */
  rank: number;
  /** The values have to agree. */
  weak: boolean;
}

/** True for what a dealer's own mapping may name. */
export function isFeedTarget(field: string): field is FeedTarget {
  return field !== 'attributes' && (Object.hasOwn(RECORD, field) || Object.hasOwn(PART_NAMES, field));
}

/** Fields that take any number of columns. */
export const LIST_FIELDS: ReadonlySet<FeedTarget> = new Set<FeedTarget>([
  ...FIELD_NAMES.filter((name) => entryFor(name).kind === 'list'),
  'images',
  'feature',
]);

/** What comes after it tells nothing of a column. */
const MAX_NAME = 300;

/** Lower case, letters and digits only: what names are compared by. One letter may be 18 in its normal form. */
export const foldColumn = remember((name) =>
  toNormalForm(name.slice(0, MAX_NAME), 'NFKC')
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, ''),
);

const WEAK = new Map<string, ReadonlySet<string>>(
  typedKeys(RECORD).map((name) => [name, new Set(entryFor(name).weak?.map(foldColumn))]),
);
const PASSING = new Set(PASSING_NAMES.map(foldColumn));
const NUMBERED = new RegExp(`^(?:${NUMBERED_IMAGES.map(foldColumn).join('|')})\\d{1,3}(?:url|link)?$`);

/** Whether a folded name of the field may mean many other things. */
export const isWeak = (field: FeedTarget | RecordName, key: string): boolean =>
  WEAK.get(field)?.has(key) === true;

/** The names of each field as columns: those that a record may use before the others, unless they are listed there. */
export const COLUMN_NAMES: ReadonlyMap<FeedTarget, readonly string[]> = new Map<
  FeedTarget,
  readonly string[]
>([
  ...typedKeys(RECORD)
    .filter((name) => name !== 'attributes')
    .flatMap((name): [FeedTarget, readonly string[]][] => {
      const { names, columns = [] } = entryFor(name);
      if (columns === false) return [];
      const listed = columns.map(foldColumn);
      const own = names.map(foldColumn).filter((key) => !listed.includes(key));
      return [[name, [...new Set([...own, ...listed])]]];
    }),
  ...typedKeys(PART_NAMES).map((name): [FeedTarget, readonly string[]] => [
    name,
    PART_NAMES[name].map(foldColumn),
  ]),
]);

/** The same as they are written. */
const ALL_NAMES: readonly string[] = [
  ...typedKeys(RECORD).flatMap((name) => [...entryFor(name).names, ...(entryFor(name).columns || [])]),
  ...Object.values(PART_NAMES).flat(),
];

const MEANINGS = meaningsByColumn();

function meaningsByColumn(): ReadonlyMap<string, readonly ColumnMeaning[]> {
  // A name that a record may use for one field is no column of another, unless it may mean many things.
  const owners = new Map(
    typedKeys(RECORD).flatMap((field) => entryFor(field).names.map((name) => [foldColumn(name), field])),
  );
  const meanings = new Map<string, ColumnMeaning[]>();
  for (const [field, names] of COLUMN_NAMES) {
    for (const [rank, key] of names.entries()) {
      const owner = owners.get(key) ?? field;
      if (owner !== field && !isWeak(owner, key)) continue;
      const meaning = { field, rank, weak: isWeak(field, key) };
      meanings.set(key, [...(meanings.get(key) ?? []), meaning]);
    }
  }
  return meanings;
}

/** All a name may mean, the most likely first. */
export function findMeanings(name: string): readonly ColumnMeaning[] {
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
  return findMeanings(name)[0]?.field ?? null;
}

/** Whether a column is kept as an attribute when it has no other meaning. */
export function isKept(name: string): boolean {
  return !PASSING.has(foldColumn(name)) && !isPrivateName(name);
}

/** Words that say nothing of what a column holds. */
const FILLERS =
  /\b(?:vehicle|truck|unit|number|num|nbr|no|de|du|the|of|in|en|text|value|amount|amt|name|field|data|dealer|dealership|seller|listing|chassis|upfit|machine|location|loc|lot|branch|manufactured|built|advertised|special|site|totale?s?)\b/g;
/** Nor do units and currencies, which the values are read with. */
const UNIT_WORDS =
  /(?<!\p{L})(?:usd?|can|cad|cdn|mxn|mxp|mn|m n|pesos|dlls?|dls|dlrs|d[oó]lares|dollars?|canadian|lbs?|pounds?|kgs?|kilos?|libras|livres|eur|euros?|gbp)(?!\p{L})/gu;

/** Words of columns as systems cut them short. */
const SHORT_WORDS: Readonly<Record<string, string>> = toTable({
  yr: 'year',
  cfg: 'config',
  len: 'length',
  adv: 'advertised',
  md: 'model',
  mdl: 'model',
  mod: 'model',
  mk: 'make',
  mfr: 'make',
  mfg: 'make',
  manuf: 'make',
  clr: 'color',
  col: 'color',
  prc: 'price',
  odom: 'odometer',
  odo: 'odometer',
  mlg: 'mileage',
  mls: 'miles',
  veh: 'vehicle',
  ext: 'exterior',
  eng: 'engine',
  engn: 'engine',
  hp: 'horsepower',
  trn: 'transmission',
  trans: 'transmission',
  tran: 'transmission',
  xmsn: 'transmission',
  bdy: 'body',
  typ: 'type',
  desc: 'description',
  cnd: 'condition',
  cond: 'condition',
  stk: 'stock',
  inv: 'inventory',
  sts: 'status',
  stat: 'status',
  st: 'state',
  cty: 'city',
  fl: 'fuel',
  drv: 'drive',
  whl: 'wheel',
  trk: 'truck',
  lst: 'list',
  wt: 'weight',
  cls: 'class',
  img: 'image',
  imgs: 'images',
  pic: 'photo',
  pics: 'photos',
});

/** The words of a name written out, without what is in brackets. */
const writeOut = (name: string): string =>
  name
    .slice(0, MAX_NAME)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .replace(/[_./#-]/g, ' ')
    .replace(/\p{L}+/gu, (word) => (Object.hasOwn(SHORT_WORDS, word) ? (SHORT_WORDS[word] ?? word) : word));

const leaveOut = (words: string): string => words.replace(FILLERS, ' ').replace(UNIT_WORDS, ' ');

/** The name with its words written out, without units in brackets and words that say nothing. */
export const bareColumn = (name: string): string => foldColumn(leaveOut(writeOut(name)));

/** Words in any order, each once, without accents: `Yr-Model` is `Model Year`. */
const toBag = (words: string): string =>
  [...new Set(plainText(words).match(/[\p{L}\p{N}]+/gu))].sort().join(' ');

/** The meanings of names of more than one word, by their words. */
const MEANINGS_BY_WORDS = once(() => {
  const meanings = new Map<string, readonly ColumnMeaning[]>();
  for (const name of ALL_NAMES) {
    const bag = toBag(writeOut(name));
    if (bag.includes(' ') && !meanings.has(bag)) meanings.set(bag, findMeanings(name));
  }
  return meanings;
});

/** What a name means that no vocabulary has as it is, the most likely first: by its words, and by each side of a slash. */
export function findBareMeanings(name: string): readonly ColumnMeaning[] {
  const words = writeOut(name);
  const byWords = MEANINGS_BY_WORDS();
  const found =
    byWords.get(toBag(words)) ?? byWords.get(toBag(leaveOut(words))) ?? findMeanings(leaveOut(words));
  return found.length > 0 ? found : findAlternatives(name);
}

/** `Sleeper / Body`: a body says what cab there is. */
const CAB_OR_BODY = new Set<FeedTarget>(['cab', 'body_type']);

/** `MAKE/MFR`: both sides mean the same field, or one of them nothing else. */
function findAlternatives(name: string): readonly ColumnMeaning[] {
  const sides = name.slice(0, MAX_NAME).split('/');
  if (sides.length < 2 || sides.length > 3) return [];
  const named = sides.map((side) =>
    [findMeanings(side), findBareMeanings(side)].find((all) => all.length > 0),
  );
  const [first = []] = named;
  const all = named.flatMap((meanings) => meanings ?? []);
  const bodies = all.filter(({ field }) => field === 'body_type');
  if (bodies.length > 0 && all.every(({ field }) => CAB_OR_BODY.has(field))) return bodies;
  return first.filter(({ field }) => named.every((all) => all?.some((other) => other.field === field)));
}

const digits = (key: string) => key.replace(/\D/g, '');
const findNearColumns = indexNearWords(
  () => [...MEANINGS].flatMap(([key, [meaning]]) => (key.length < 5 || meaning?.weak ? [] : [key])),
  2,
);

/** The field whose name is spelled nearly so, with one slip in 5 to 7 characters, two in more; null if not just one. */
export function misspelled(name: string): FeedTarget | null {
  const key = foldColumn(name);
  if (key.length < 5 || key.length > 40) return null;
  const slips = key.length < 8 ? 1 : 2;
  // What differs in its digits is another column of a series, not a slip.
  const near = findNearColumns(key).filter(
    ({ word, distance }) => distance <= slips && digits(word) === digits(key),
  );
  const least = Math.min(...near.map(({ distance }) => distance));
  const fields = new Set(
    near.flatMap(({ word, distance }) => (distance === least ? (MEANINGS.get(word)?.[0]?.field ?? []) : [])),
  );
  const [field] = fields;
  return fields.size === 1 && field ? field : null;
}
