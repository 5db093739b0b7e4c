import {
  type ColumnMeaning,
  type FeedTarget,
  findBareMeanings,
  findMeanings,
  foldColumn,
  isFeedTarget,
  isKept,
  LIST_FIELDS,
  misspelled,
} from '../../domain/columns/feed-columns.ts';
import { KNOWN_LAYOUTS, type Layout } from '../../domain/columns/feed-layouts.ts';
import type { FeedSettings } from '../feed.ts';
import type { FeedRow } from '../feed-file.ts';
import { areStatusCodes, areVins, fits, isCurrencyCode } from './feed-values.ts';
import { flatten } from './flatten-row.ts';
import { readRowTitle } from './row-title.ts';

/** How the rows of a dealer's file are to be read, before the first of them is looked at. */
export interface FeedRecipe {
  /** Of the header; null where rows name their values themselves. */
  columns: readonly string[] | null;
  /** The dealer's own word: column → field, null: not read at all. */
  mapping: Readonly<Record<string, string | null>> | null;
  /** Values of fields that a row leaves empty. */
  defaults: Readonly<Record<string, unknown>>;
  class_from_vin: boolean;
  zero_price_is_call: boolean;
  /** When set, no column is guessed to hold providers. */
  source_provider_id: string | null;
}

/** What is done with a column. */
export interface PlannedColumn {
  column: string;
  /** Null: none. */
  field: FeedTarget | null;
  /** Without a field: whether it is kept as an attribute. */
  kept: boolean;
  /** 0 to 1; 1 is certain. */
  confidence: number;
}

/** How rows become records. Plain JSON: kept with a run, so that all of the file is read alike. */
export interface FeedPlan {
  /** The known layout that the columns are of. */
  layout: string | null;
  columns: PlannedColumn[];
  /** Rows may have columns that are not among these. */
  open: boolean;
  /** Further columns of a field, the best first: a row takes them where its own column says nothing usable. */
  fallbacks?: Partial<Record<FeedTarget, string[]>>;
  /** The column that names year, make and model in one text, where no column of its own does. */
  title?: string;
  defaults: Record<string, unknown>;
  classFromVin: boolean;
  zeroPriceIsCall: boolean;
}

/** How the rows of a feed's file become records, by the first of them. */
export function readPlan(
  { dealer, defaults, ...feed }: Omit<FeedRecipe, 'columns'> & Pick<FeedSettings, 'dealer'>,
  columns: readonly string[] | null,
  rows: readonly FeedRow[],
): FeedPlan {
  const sample = rows.flatMap(({ fields }) => (fields === null ? [] : [fields]));
  return planFeed(sample, {
    ...feed,
    columns,
    defaults: { ...(dealer === null ? {} : { dealer }), ...defaults },
  });
}

/** Proposes a meaning for every column: the dealer's word first, then known layouts, names, spellings, values. */
export function planFeed(rows: readonly Readonly<Record<string, unknown>>[], recipe: FeedRecipe): FeedPlan {
  const samples = collectSamples(rows, recipe.columns);
  const columns = [...samples.keys()];
  const layout = findLayout(columns);
  const given = givenFor(columns, recipe.mapping ?? {});
  const { chosen: guessed, fallbacks } = guess(samples, layout?.[1] ?? null, given, recipe);
  const planned = columns.map((column): PlannedColumn => {
    const own = given.get(column);
    if (own !== undefined) return { column, field: own, kept: false, confidence: 1 };
    const found = guessed.get(column);
    if (found) return { column, field: found.field, kept: false, confidence: found.confidence };
    return { column, field: null, kept: isKept(column), confidence: 0 };
  });
  if (recipe.columns === null) planned.push(...unseenColumns(columns, recipe.mapping ?? {}));
  const title = findTitle(planned, samples);
  return {
    layout: layout?.[0] ?? null,
    columns: planned,
    open: recipe.columns === null,
    fallbacks,
    ...(title === undefined ? {} : { title }),
    defaults: { ...recipe.defaults },
    classFromVin: recipe.class_from_vin,
    zeroPriceIsCall: recipe.zero_price_is_call,
  };
}

const OF_A_TITLE: ReadonlySet<FeedTarget> = new Set<FeedTarget>(['year', 'make']);

function findTitle(
  planned: readonly PlannedColumn[],
  samples: ReadonlyMap<string, readonly unknown[]>,
): string | undefined {
  if (planned.some(({ field }) => field !== null && OF_A_TITLE.has(field))) return undefined;
  return planned.find(({ column, kept }) => {
    const values = samples.get(column) ?? [];
    return kept && values.length > 0 && values.filter(readRowTitle).length * 2 >= values.length;
  })?.column;
}

/** Columns that the dealer names and the first rows lack may come later. */
function unseenColumns(
  columns: readonly string[],
  mapping: Readonly<Record<string, string | null>>,
): PlannedColumn[] {
  const seen = new Set(columns.map(foldColumn));
  return Object.entries(mapping)
    .filter(([column]) => !seen.has(foldColumn(column)))
    .map(([column, field]) => ({ column, field: toTarget(field), kept: false, confidence: 1 }));
}

const MAX_SAMPLES = 50;
/** Columns whose meaning is thought about, as many as a header may have; of others only what their own name says counts. */
const MAX_COLUMNS = 1_000;

/** Values of each column that are not blank, columns in order of appearance. */
function collectSamples(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[] | null,
): Map<string, unknown[]> {
  const samples = new Map<string, unknown[]>((columns ?? []).map((column) => [column, []]));
  for (const row of rows.slice(0, MAX_SAMPLES))
    for (const [column, value] of flatten(row)) {
      const values = samples.get(column) ?? [];
      if (samples.size >= MAX_COLUMNS && !samples.has(column)) continue;
      samples.set(column, values);
      if (value !== null && !(typeof value === 'string' && value.trim() === '')) values.push(value);
    }
  return samples;
}

const ENOUGH = { columns: 6, share: 0.6 };

/** The known layout most of whose columns are there. */
function findLayout(columns: readonly string[]): [string, Layout] | null {
  const there = new Set(columns.map(foldColumn));
  const scored = Object.entries(KNOWN_LAYOUTS).map(([name, layout]) => {
    const shared = layout.columns.filter((column) => there.has(foldColumn(column))).length;
    return { found: [name, layout] as [string, Layout], shared, share: shared / layout.columns.length };
  });
  const [best] = scored
    .filter(({ shared, share }) => shared >= ENOUGH.columns && share >= ENOUGH.share)
    .sort((one, other) => other.share - one.share);
  return best?.found ?? null;
}

function toTarget(field: string | null): FeedTarget | null {
  return field !== null && isFeedTarget(field) ? field : null;
}

/** What the dealer says of a column, by its exact name or else by one that reads alike. */
function givenFor(
  columns: readonly string[],
  mapping: Readonly<Record<string, string | null>>,
): Map<string, FeedTarget | null> {
  const given = new Map<string, FeedTarget | null>();
  const alike = new Map(Object.entries(mapping).map(([column, field]) => [foldColumn(column), field]));
  for (const column of columns) {
    const field = Object.hasOwn(mapping, column) ? mapping[column] : alike.get(foldColumn(column));
    if (field !== undefined) given.set(column, toTarget(field));
  }
  return given;
}

interface Guess {
  column: string;
  field: FeedTarget;
  confidence: number;
  /** The lowest is heard first. */
  order: number;
}

/** No field twice, but for those that take several columns, and no column twice; other columns of a field by its name. */
function guess(
  samples: ReadonlyMap<string, readonly unknown[]>,
  layout: Layout | null,
  given: ReadonlyMap<string, FeedTarget | null>,
  recipe: FeedRecipe,
): { chosen: Map<string, Guess>; fallbacks: NonNullable<FeedPlan['fallbacks']> } {
  const taken = new Set<FeedTarget>([...given.values()].flatMap((field) => field ?? []));
  if (recipe.source_provider_id !== null) taken.add('source_provider_id');
  const map = new Map(
    Object.entries(layout?.map ?? {}).map(([column, field]) => [foldColumn(column), field]),
  );
  const guesses = [...samples]
    .filter(([column]) => !given.has(column) && isKept(column))
    .flatMap(([column, values]) => guessesFor(column, values, map))
    .sort((one, other) => one.order - other.order);
  const chosen = new Map<string, Guess>();
  for (const one of guesses) {
    if (chosen.has(one.column) || (taken.has(one.field) && !LIST_FIELDS.has(one.field))) continue;
    chosen.set(one.column, one);
    taken.add(one.field);
  }
  return { chosen, fallbacks: findFallbacks(guesses, chosen) };
}

/** What the dealer maps has no fallback: that is the dealer's word. */
function findFallbacks(guesses: readonly Guess[], chosen: ReadonlyMap<string, Guess>) {
  const own = new Set([...chosen.values()].map(({ field }) => field));
  const found = new Map<FeedTarget, Set<string>>();
  for (const { column, field, order } of guesses) {
    if (order >= TIERS.bare || chosen.has(column) || !own.has(field) || LIST_FIELDS.has(field)) continue;
    const others = found.get(field) ?? new Set();
    found.set(field, others.add(column));
  }
  const fallbacks: NonNullable<FeedPlan['fallbacks']> = {};
  for (const [field, others] of found) fallbacks[field] = [...others];
  return fallbacks;
}

const TIERS = { layout: 0, name: 1_000, inside: 2_000, bare: 3_000, values: 4_000, spelling: 5_000 } as const;

function guessesFor(
  column: string,
  values: readonly unknown[],
  layout: ReadonlyMap<string, string>,
): Guess[] {
  const guesses: Guess[] = [];
  const add = (field: FeedTarget, tier: keyof typeof TIERS, rank: number, confidence: number) =>
    guesses.push({ column, field, confidence, order: TIERS[tier] + rank });
  const known = toTarget(layout.get(foldColumn(column)) ?? null);
  if (known) add(known, 'layout', 0, 0.95);
  const named = findMeanings(column);
  for (const meaning of named) if (agrees(meaning, values)) add(meaning.field, 'name', meaning.rank, 1);
  if (named.length === 0) {
    for (const meaning of findInnerMeanings(column))
      if (fits(meaning.field, values)) add(meaning.field, 'inside', meaning.rank, 0.9);
    for (const meaning of findBareMeanings(column))
      if (fits(meaning.field, values)) add(meaning.field, 'bare', meaning.rank, 0.75);
    const near = misspelled(column);
    if (near && fits(near, values)) add(near, 'spelling', 0, 0.6);
  }
  const isStatus = [...named, ...findBareMeanings(column)].some(({ field }) => field === 'status');
  if (isStatus && areStatusCodes(values)) add('sold', 'name', 0, 0.9);
  if (areVins(values)) add('vin', 'values', 0, 0.9);
  if (named.length === 0 && values.length > 0 && values.every(isCurrencyCode))
    add('currency', 'values', 1, 0.9);
  return guesses;
}

/** Fields that make every row warn when the column means something else. */
const PICKY: ReadonlySet<FeedTarget> = new Set<FeedTarget>([
  'class',
  'condition',
  'country',
  'images',
  'url',
  'horsepower',
]);

function agrees({ field, weak }: ColumnMeaning, values: readonly unknown[]): boolean {
  return !(weak || PICKY.has(field)) || fits(field, values);
}

/** Whose make, model or city is meant matters. */
const NOT_THE_TRUCK = /engine|transmission|trans|dealer|seller|contact|axle|body|user|owner|company|video/i;
const DEALER = /dealer|seller|store|branch|rooftop/i;
/** A truck stands at its dealer. */
const PLACE: ReadonlySet<FeedTarget> = new Set<FeedTarget>(['city', 'state', 'zip', 'country']);
const PHOTOS = /photo|image|picture|thumb/i;

/** `location.city`: the last part of a path, where what surrounds it is the truck. */
function findInnerMeanings(column: string): readonly ColumnMeaning[] {
  const at = column.lastIndexOf('.');
  if (at === -1) return [];
  const [outer, inner] = [column.slice(0, at), column.slice(at + 1)];
  if (/^(?:name|value|label)$/i.test(inner)) return findMeanings(outer.slice(outer.lastIndexOf('.') + 1));
  const found = findMeanings(inner);
  if (NOT_THE_TRUCK.test(outer))
    return DEALER.test(outer) ? found.filter(({ field }) => PLACE.has(field)) : [];
  if (PHOTOS.test(outer)) return found.filter(({ field }) => field === 'images');
  // `pricing.sale`: the sale price.
  return found.length === 0 && /(?:^|\.)pric(?:e|es|ing)$/i.test(outer)
    ? findMeanings(`${inner} price`)
    : found;
}
