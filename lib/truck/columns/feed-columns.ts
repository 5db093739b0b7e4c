import { entryFor, FIELD_NAMES, RECORD, type RecordName, typedKeys } from '../record/record.ts';
import { toNormalForm } from '../text/normal-form.ts';
import { isPrivateName } from '../text/private-names.ts';
import { once, remember } from '../text/remember.ts';
import { toTable } from '../text/table.ts';
import { plainText } from '../text/tokens.ts';
import { NUMBERED_IMAGES, PART_NAMES, PASSING_NAMES } from './feed-layouts.ts';

/** What a column of a dealer's file is about, by its name alone. */

/** A column holds a field of the record, or a part of one. */
export type FeedTarget = Exclude<RecordName, 'attributes'> | keyof typeof PART_NAMES;

interface ColumnMeaning {
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

const LIST_FIELDS = new Set<FeedTarget | null>([
  ...FIELD_NAMES.filter((name) => entryFor(name).kind === 'list'),
  ...(['images', 'feature', 'body_type', 'status', 'sold'] as const),
]);

/** Whether a field takes what any number of columns say. */
export const isList = (field: FeedTarget | null): boolean => LIST_FIELDS.has(field);

/** What comes after it tells nothing of a column. */
const MAX_NAME = 300;

/** Lower case, letters and digits only: what names are compared by. One letter may be 18 in its normal form. */
export const foldColumn = remember((name) =>
  toNormalForm(name.slice(0, MAX_NAME), 'NFKC')
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, ''),
);

/** The names of each field as columns, the best first: those of a record, unless they are listed again, then the others. */
const COLUMN_NAMES: readonly (readonly [FeedTarget, names: readonly string[], weak?: readonly string[]])[] = [
  ...typedKeys(RECORD).flatMap((field): (typeof COLUMN_NAMES)[number][] => {
    const { names, columns = [], weak = [] } = entryFor(field);
    if (field === 'attributes' || columns === false) return [];
    return [[field, [...names.filter((name) => !columns.includes(name)), ...columns], weak]];
  }),
  ...typedKeys(PART_NAMES).map((part) => [part, PART_NAMES[part]] as const),
];

function meaningsBy(toKey: (name: string) => string): ReadonlyMap<string, readonly ColumnMeaning[]> {
  const meanings = new Map<string, ColumnMeaning[]>();
  for (const [field, names, weak = []] of COLUMN_NAMES)
    for (const [rank, name] of names.entries()) {
      const key = toKey(name);
      const known = meanings.get(key) ?? [];
      if (known.some((other) => other.field === field)) continue;
      meanings.set(key, [...known, { field, rank, weak: weak.includes(name) }]);
    }
  return meanings;
}

const BY_NAME = meaningsBy(foldColumn);
const NUMBERED = new RegExp(`^(?:${NUMBERED_IMAGES.map(foldColumn).join('|')})(\\d{1,3})(?:url|link)?$`);

/** All a name of the vocabulary may mean, the most likely first. */
export function findMeanings(name: string): readonly ColumnMeaning[] {
  const key = foldColumn(name);
  const known = BY_NAME.get(key);
  if (known) return known;
  const number = NUMBERED.exec(key)?.[1];
  return number === undefined ? [] : [{ field: 'images', rank: 50 + Number(number), weak: false }];
}

/** The first thing a name means; null when it is in no vocabulary. */
export function columnField(name: string): FeedTarget | null {
  return findMeanings(name)[0]?.field ?? null;
}

const PASSING = new Set(PASSING_NAMES.map(foldColumn));

/** Whether a column is kept as an attribute when it has no other meaning. */
export function isKept(name: string): boolean {
  return !PASSING.has(foldColumn(name)) && !isPrivateName(name);
}

/** Words that say nothing of what a column holds. */
const FILLERS =
  /\b(?:vehicle|truck|unit|number|num|nbr|no|in|en|text|value|amount|amt|name|field|data|dealer|dealership|seller|listing|chassis|upfit|machine|location|loc|lot|branch|manufactured|built|advertised|special|site|totale?s?|current|actual|full|dot)\b/g;
/** Nor do units and currencies, which the values are read with. */
const UNIT_WORDS =
  /(?<!\p{L})(?:usd?|can|cad|cdn|mxn|mxp|mn|m n|pesos|dlls?|dls|dlrs|d[oó]lares|dollars?|canadian|lbs?|pounds?|mi|kms?|inches|ft|feet|kgs?|kilos?|libras|livres|eur|euros?|gbp)(?!\p{L})/gu;

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
  prices: 'price',
  pricing: 'price',
  prov: 'province',
  odom: 'odometer',
  odo: 'odometer',
  mlg: 'mileage',
  milage: 'mileage',
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
  picture: 'photo',
  pictures: 'photos',
  curr: 'currency',
  comment: 'comments',
  gvw: 'gvwr',
  sell: 'selling',
  details: 'detail',
});

/** The words of a name written out, without what is in brackets. */
const writeOut = (name: string): string =>
  name
    .slice(0, MAX_NAME)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .replace(/[_./#-]|(?<!\p{L})(?:de|del|du|of|the)(?!\p{L})/gu, ' ')
    .replace(/\p{L}+/gu, (word) => (Object.hasOwn(SHORT_WORDS, word) ? (SHORT_WORDS[word] ?? word) : word));

const leaveOut = (words: string): string => words.replace(FILLERS, ' ').replace(UNIT_WORDS, ' ');

/** The name with its words written out, without units in brackets and words that say nothing. */
export const bareColumn = (name: string): string => foldColumn(leaveOut(writeOut(name)));

/** Words in any order, each once, without accents: `Yr-Model` is `Model Year`. */
const toBag = (words: string): string =>
  [...new Set(plainText(words).match(/[\p{L}\p{N}]+/gu))].sort().join(' ');

const BY_WORDS = once(() => meaningsBy((name) => toBag(writeOut(name))));

/** What a name means that no vocabulary has as it is: by its words, then by those of them that say something. */
export function findWordMeanings(name: string): readonly ColumnMeaning[] {
  const words = writeOut(name);
  return [words, leaveOut(words)].flatMap((some) => BY_WORDS().get(toBag(some)) ?? []);
}
