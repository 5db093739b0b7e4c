import { foldName } from '../../truck/names/named-units.ts';
import type { FeedSettings } from '../feed.ts';
import { type FeedTarget, findMeanings, findWordMeanings, isFeedTarget, isKept, isList } from './columns.ts';
import { areStatusCodes, fits, isAbsent } from './feed-values.ts';
import { flatten } from './flatten-row.ts';

/** What a feed says of how its file is to be read. */
export type FeedRecipe = Pick<
  FeedSettings,
  'format' | 'mapping' | 'defaults' | 'dealer' | 'class_from_vin' | 'source_provider_id'
>;

/** What is done with a column. */
export interface PlannedColumn {
  column: string;
  /** Null: none. */
  field: FeedTarget | null;
  /** Without a field: whether it is kept as an attribute. */
  kept: boolean;
  /** 0 to 1; 1 is certain. */
  confidence: number;
  /** Of several columns of a field a row takes the lowest that says something. */
  rank: number;
}

/** How rows become records. Plain JSON: kept with a run, so that all of the file is read alike. */
export interface FeedPlan {
  columns: PlannedColumn[];
  defaults: Record<string, unknown>;
  classFromVin: boolean;
}

/** The values of each column that are not blank, columns in order of appearance. */
type Samples = ReadonlyMap<string, readonly unknown[]>;

/**
 * How the rows of a feed's file become records, by the first of them: for every column the dealer's word, its name, or the
 * words of its name.
 *
 * @param header null where rows name their values themselves
 */
export function readPlan(
  feed: FeedRecipe,
  header: readonly string[] | null,
  rows: readonly { fields: Readonly<Record<string, unknown>> | null }[],
): FeedPlan {
  const { dealer, source_provider_id: provider } = feed;
  /** By their exact names, or else by names that read alike. */
  const exact = new Map(Object.entries(feed.mapping ?? {}));
  const alike = new Map([...exact].map(([column, field]) => [foldName(column), field]));
  const findTarget = (column: string) =>
    exact.has(column) ? exact.get(column) : alike.get(foldName(column));
  const samples = collectSamples(rows, header, [...exact.keys()]);
  const takenFields = new Set([...samples.keys()].map((column) => findTarget(column) ?? null));
  if (provider !== null) takenFields.add('source_provider_id');
  // Words of a name are no guess where another column has the name itself: `Dealer Price` beside `Price`.
  const meanings = [...samples.keys()].flatMap((column) => findMeanings(column));
  const byName = new Set([...takenFields, ...meanings.flatMap(({ field, weak }) => (weak ? [] : field))]);
  const columns = [...samples].map(([column, values]) => {
    const target = findTarget(column);
    if (target === undefined) return guessColumn(column, values, takenFields, byName);
    const field = target !== null && isFeedTarget(target) ? target : null;
    return { column, field, kept: false, confidence: 1, rank: 0 };
  });
  return {
    columns,
    defaults: { ...(dealer === null ? {} : { dealer }), ...feed.defaults },
    classFromVin: feed.class_from_vin,
  };
}

const MAX_SAMPLES = 50;
/** Columns whose meaning is thought about, as many as a header may have; of others only what their own name says counts. */
const MAX_COLUMNS = 1_000;

function collectSamples(
  rows: Parameters<typeof readPlan>[2],
  header: readonly string[] | null,
  mapped: readonly string[],
): Samples {
  const samples = new Map<string, unknown[]>((header ?? []).map((column) => [column, []]));
  for (const { fields } of rows.slice(0, MAX_SAMPLES))
    for (const [column, value] of flatten(fields ?? {})) {
      if (!samples.has(column) && samples.size < MAX_COLUMNS) samples.set(column, []);
      if (!isAbsent(value)) samples.get(column)?.push(value);
    }
  if (header !== null) return samples;
  // Columns that the dealer names and the first rows lack may come later.
  const foldedNames = new Set([...samples.keys()].map(foldName));
  for (const column of mapped) if (!foldedNames.has(foldName(column))) samples.set(column, []);
  return samples;
}

/** Rank of guesses by the words of a name, which come after those by the name itself. */
const BY_WORDS = 1_000;

/** The likeliest meaning of a column that the dealer does not name. */
function guessColumn(
  column: string,
  values: readonly unknown[],
  takenFields: ReadonlySet<string | null>,
  byName: ReadonlySet<string | null>,
): PlannedColumn {
  const isExtra = isKept(column);
  const [best] = (isExtra ? listMeanings(column, values) : [])
    .filter(({ field, rank }) => isList(field) || !(rank < BY_WORDS ? takenFields : byName).has(field))
    .sort((one, other) => one.rank - other.rank);
  if (best === undefined) return { column, field: null, kept: isExtra, confidence: 0, rank: 0 };
  const { field, rank } = best;
  // Of one-letter statuses only the letter for sold is read.
  const target = field === 'status' && areStatusCodes(values) ? 'sold' : field;
  return { column, field: target, kept: false, confidence: rank < BY_WORDS ? 1 : 0.75, rank };
}

/** Fields that make every row warn when the column means something else. */
const PICKY: ReadonlySet<FeedTarget> = new Set<FeedTarget>(['class', 'condition', 'images', 'url']);

/** All that a column's name may mean with which its values agree. */
function listMeanings(column: string, values: readonly unknown[]) {
  const meanings = findMeanings(column);
  if (meanings.length > 0)
    return meanings.filter(({ field, weak }) => !(weak || PICKY.has(field)) || fits(field, values));
  return [...findInnerMeanings(column), ...findWordMeanings(column)]
    .filter(({ field }) => fits(field, values))
    .map(({ field, rank }) => ({ field, rank: rank + BY_WORDS }));
}

/** What surrounds a member that is not the truck itself, and the fields that it tells of the truck nevertheless. */
const NOT_THE_TRUCK: readonly (readonly [outer: RegExp, fields: readonly FeedTarget[]])[] = [
  [/dealer|seller|store|branch|rooftop/i, ['city', 'state', 'zip', 'country']],
  [/photo|image|picture|thumb/i, ['images']],
  [/engine|trans|contact|axle|body|user|owner|company|video/i, []],
];

/** `location.city`: the last part of a path, where what surrounds it is the truck. */
function findInnerMeanings(column: string) {
  const at = column.lastIndexOf('.');
  if (at === -1) return [];
  const [, allowed] = NOT_THE_TRUCK.find(([outer]) => outer.test(column.slice(0, at))) ?? [];
  return findMeanings(column.slice(at + 1)).filter(({ field }) => allowed?.includes(field) ?? true);
}
