import { foldName, splitName, withoutUnits } from '../../truck/names/named-units.ts';
import { entryFor, FIELD_NAMES, RECORD, type RecordName, typedKeys } from '../../truck/record/record.ts';
import { isPrivateName } from '../../truck/text/private-names.ts';
import { once } from '../../truck/text/remember.ts';
import { toList, toTable } from '../../truck/text/table.ts';
import { plainText } from '../../truck/text/tokens.ts';

/** What a column of a dealer's file is about, by its name alone. */

/** Parts of a value that come in columns of their own, and columns that name something a truck has or lacks. */
const PART_NAMES = {
  engine_make: toList('engine make, engine manufacturer, engine mfr, engine brand'),
  transmission_make: toList(
    'transmission make, transmission manufacturer, transmission mfr, transmission brand',
  ),
  sold: toList(`
    sold, is sold, sold flag, unit sold, sold y/n, sold date, date sold, sold on, vendido, vendida,
    fecha de venta
  `),
  feature: toList('apu, pto, collision mitigation, bunk beds'),
};

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
export const isFeedTarget = (field: string): field is FeedTarget =>
  field !== 'attributes' && (Object.hasOwn(RECORD, field) || Object.hasOwn(PART_NAMES, field));

const LISTS = new Set<FeedTarget | null>([
  ...FIELD_NAMES.filter((name) => entryFor(name).kind === 'list'),
  ...(['images', 'feature', 'body_type', 'status', 'sold'] as const),
]);

/** Whether a field takes what any number of columns say. */
export const isList = (field: FeedTarget | null) => LISTS.has(field);

/** The names of each field as columns, the best first: those of a record, unless they are listed again, then the others. */
const COLUMN_NAMES: readonly (readonly [FeedTarget, names: readonly string[], weak: readonly string[]])[] = [
  ...typedKeys(RECORD).flatMap((field): (typeof COLUMN_NAMES)[number][] => {
    const { names, columns = [], weak = [] } = entryFor(field);
    if (field === 'attributes' || columns === false) return [];
    return [[field, [...names.filter((name) => !columns.includes(name)), ...columns], weak]];
  }),
  ...typedKeys(PART_NAMES).map((part) => [part, PART_NAMES[part], []] as const),
];

function meaningsBy(toKey: (name: string) => string): ReadonlyMap<string, readonly ColumnMeaning[]> {
  const meanings = COLUMN_NAMES.flatMap(([field, names, weak]) =>
    [...Map.groupBy(names, toKey)].map(([key, [name = '']]) => {
      return { key, field, rank: names.indexOf(name), weak: weak.includes(name) };
    }),
  );
  return Map.groupBy(meanings, ({ key }) => key);
}

const BY_NAME = meaningsBy(foldName);
/** Numbered columns of one list: `image1`, `photo_2`, `image[0].url`. */
const NUMBERED = /^(?:image|photo|picture|pic|img|imagelink|photourl|imageurl)(\d{1,3})(?:url|link)?$/;

/** All a name of the vocabulary may mean, the most likely first. */
export function findMeanings(name: string): readonly ColumnMeaning[] {
  const key = foldName(name);
  const number = NUMBERED.exec(key)?.[1];
  return (
    BY_NAME.get(key) ??
    (number === undefined ? [] : [{ field: 'images', rank: 50 + Number(number), weak: false }])
  );
}

/** The first thing a name means; null when it is in no vocabulary. */
export const columnField = (name: string) => findMeanings(name)[0]?.field ?? null;

/** What changes with every export says nothing of a truck, and would make every row a change. */
const PASSING = new Set(
  toList(`
    age, days in stock, days in inventory, days on lot, days on market, inventory age, stock age,
    photos last modified date, export date, exported at, feed date, file date, views, vdp views, page views,
    row number, row id, last updated, last update, last modified, last changed, updated at, modified at,
    date updated, date modified, export time, timestamp
  `).map(foldName),
);

/** Whether a column is kept as an attribute when it has no other meaning. */
export const isKept = (name: string) => !PASSING.has(foldName(name)) && !isPrivateName(name);

/** Words that say nothing of what a column holds. */
const FILLERS =
  /\b(?:vehicle|truck|unit|number|num|nbr|no|in|en|text|value|amount|amt|name|field|data|dealer|dealership|seller|listing|chassis|upfit|machine|location|loc|lot|branch|manufactured|built|advertised|special|site|totale?s?|current|actual|full|dot)\b/g;

/** Words of columns as systems cut them short. */
const SHORT_WORDS: Readonly<Record<string, string>> = toTable({
  yr: 'year',
  cfg: 'config',
  len: 'length',
  mdl: 'model',
  mk: 'make',
  mfr: 'make',
  mfg: 'make',
  clr: 'color',
  prc: 'price',
  prices: 'price',
  pricing: 'price',
  prov: 'province',
  odom: 'odometer',
  odo: 'odometer',
  veh: 'vehicle',
  ext: 'exterior',
  eng: 'engine',
  hp: 'horsepower',
  trans: 'transmission',
  typ: 'type',
  desc: 'description',
  cond: 'condition',
  stk: 'stock',
  inv: 'inventory',
  sts: 'status',
  stat: 'status',
  cls: 'class',
  pic: 'photo',
  pics: 'photos',
  curr: 'currency',
});

const writeOut = (name: string) =>
  splitName(name)
    .replace(/(?<!\p{L})(?:de|del|du|of|the)(?!\p{L})/gu, ' ')
    .replace(/\p{L}+/gu, (word) => SHORT_WORDS[word] ?? word);

/** Words in any order, each once, without accents: `Yr-Model` is `Model Year`. */
const toBag = (words: string) => [...new Set(plainText(words).match(/[\p{L}\p{N}]+/gu))].sort().join(' ');

const BY_WORDS = once(() => meaningsBy((name) => toBag(writeOut(name))));

/** What a name means that no vocabulary has as it is: by its words, then by those of them that say something. */
export function findWordMeanings(name: string): readonly ColumnMeaning[] {
  const words = writeOut(name);
  const telling = withoutUnits(words.replace(FILLERS, ' '));
  return [words, telling].flatMap((some) => BY_WORDS().get(toBag(some)) ?? []);
}
