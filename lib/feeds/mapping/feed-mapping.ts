import {
  type FeedTarget,
  findMeanings,
  findWordMeanings,
  foldColumn,
  isFeedTarget,
  isKept,
  isList,
} from '../../truck/columns/feed-columns.ts';
import { KNOWN_LAYOUTS } from '../../truck/columns/feed-layouts.ts';
import type { FeedSettings } from '../feed.ts';
import { areStatusCodes, areVins, fits, isAbsent } from './feed-values.ts';
import { flatten } from './flatten-row.ts';

/** What a feed says of how the rows of its file are to be read. */
export type FeedRecipe = Pick<
  FeedSettings,
  'mapping' | 'defaults' | 'dealer' | 'class_from_vin' | 'zero_price_is_call' | 'source_provider_id'
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
  /** The known layout that the columns are of. */
  layout: string | null;
  columns: PlannedColumn[];
  defaults: Record<string, unknown>;
  classFromVin: boolean;
  zeroPriceIsCall: boolean;
}

/** A row; null when nothing of it can be read. */
interface Fields {
  fields: Readonly<Record<string, unknown>> | null;
}
type Mapping = Readonly<Record<string, string | null>>;
/** The values of each column that are not blank, columns in order of appearance. */
type Samples = ReadonlyMap<string, readonly unknown[]>;

/**
 * How the rows of a feed's file become records, by the first of them: for every column the dealer's word, a known layout,
 * its name, the words of its name, or its values.
 *
 * @param header null where rows name their values themselves
 */
export function readPlan(
  feed: FeedRecipe,
  header: readonly string[] | null,
  rows: readonly Fields[],
): FeedPlan {
  const { dealer, source_provider_id: provider } = feed;
  const samples = collectSamples(rows, header, feed.mapping ?? {});
  const layout = findLayout([...samples.keys()]);
  const byDealer = planMapped(samples, feed.mapping ?? {}, 0);
  const byLayout = planMapped(samples, KNOWN_LAYOUTS[layout ?? '']?.map ?? {}, 1);
  const taken = new Set([...byDealer.values()].map(({ field }) => field));
  if (provider !== null) taken.add('source_provider_id');
  // Words of a name are no guess where another column has the name itself: `Dealer Price` beside `Price`.
  const meanings = [...samples.keys()].flatMap((column) => findMeanings(column));
  const byName = new Set([...taken, ...meanings.flatMap(({ field, weak }) => (weak ? [] : field))]);
  const columns = [...samples].map(
    ([column, values]) =>
      byDealer.get(column) ?? byLayout.get(column) ?? guessColumn(column, values, taken, byName),
  );
  findVins(columns, samples);
  return {
    layout,
    columns,
    defaults: { ...(dealer === null ? {} : { dealer }), ...feed.defaults },
    classFromVin: feed.class_from_vin,
    zeroPriceIsCall: feed.zero_price_is_call,
  };
}

const MAX_SAMPLES = 50;
/** Columns whose meaning is thought about, as many as a header may have; of others only what their own name says counts. */
const MAX_COLUMNS = 1_000;

function collectSamples(
  rows: readonly Fields[],
  header: readonly string[] | null,
  mapping: Mapping,
): Samples {
  const samples = new Map<string, unknown[]>((header ?? []).map((column) => [column, []]));
  for (const { fields } of rows.slice(0, MAX_SAMPLES))
    for (const [column, value] of flatten(fields ?? {})) {
      const values = samples.get(column) ?? [];
      if (samples.size >= MAX_COLUMNS && !samples.has(column)) continue;
      samples.set(column, values);
      if (!isAbsent(value)) values.push(value);
    }
  if (header !== null) return samples;
  // Columns that the dealer names and the first rows lack may come later.
  const seen = new Set([...samples.keys()].map(foldColumn));
  for (const column of Object.keys(mapping)) if (!seen.has(foldColumn(column))) samples.set(column, []);
  return samples;
}

const MIN_SHARE = 0.6;

/** The known layout most of whose columns are there. */
function findLayout(columns: readonly string[]): string | null {
  const there = new Set(columns.map(foldColumn));
  const [best] = Object.entries(KNOWN_LAYOUTS)
    .map(([name, layout]) => {
      const shared = layout.columns.filter((column) => there.has(foldColumn(column)));
      return { name, share: shared.length / layout.columns.length };
    })
    .sort((one, other) => other.share - one.share);
  return best !== undefined && best.share >= MIN_SHARE ? best.name : null;
}

/** What a mapping says of columns, by their exact names or else by names that read alike; null: not read at all. */
function planMapped(samples: Samples, mapping: Mapping, rank: number): Map<string, PlannedColumn> {
  const exact = new Map(Object.entries(mapping));
  const alike = new Map(Object.entries(mapping).map(([column, field]) => [foldColumn(column), field]));
  const planned = new Map<string, PlannedColumn>();
  for (const column of samples.keys()) {
    const target = exact.has(column) ? exact.get(column) : alike.get(foldColumn(column));
    if (target === undefined) continue;
    const field = target !== null && isFeedTarget(target) ? target : null;
    planned.set(column, { column, field, kept: false, confidence: 1, rank });
  }
  return planned;
}

/** Rank of guesses by the words of a name, which come after those by the name itself. */
const BY_WORDS = 1_000;

/** The likeliest meaning of a column that neither the dealer nor a layout names. */
function guessColumn(
  column: string,
  values: readonly unknown[],
  taken: ReadonlySet<FeedTarget | null>,
  byName: ReadonlySet<FeedTarget | null>,
): PlannedColumn {
  const kept = isKept(column);
  const [best] = (kept ? listMeanings(column, values) : [])
    .filter(({ field, rank }) => isList(field) || !(rank < BY_WORDS ? taken : byName).has(field))
    .sort((one, other) => one.rank - other.rank);
  if (best === undefined) return { column, field: null, kept, confidence: 0, rank: 0 };
  const { field, rank } = best;
  // Of statuses that are letters one says what is sold.
  const target = field === 'status' && areStatusCodes(values) ? 'sold' : field;
  return { column, field: target, kept: false, confidence: rank < BY_WORDS ? 1 : 0.75, rank };
}

/** Fields that make every row warn when the column means something else. */
const PICKY: ReadonlySet<FeedTarget> = new Set<FeedTarget>(['class', 'condition', 'images', 'url']);

/** All that a column's name may mean with which its values agree. */
function listMeanings(column: string, values: readonly unknown[]) {
  const named = findMeanings(column);
  if (named.length > 0)
    return named.filter(({ field, weak }) => !(weak || PICKY.has(field)) || fits(field, values));
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
  return findMeanings(column.slice(at + 1)).filter(
    ({ field }) => allowed === undefined || allowed.includes(field),
  );
}

/** Where no column is named so, one that means nothing else holds the VINs if its values look like them. */
function findVins(columns: readonly PlannedColumn[], samples: Samples): void {
  if (columns.some(({ field }) => field === 'vin')) return;
  const vins = columns.find(({ column, kept }) => kept && areVins(samples.get(column) ?? []));
  if (vins) Object.assign(vins, { field: 'vin', kept: false, confidence: 0.75 });
}
