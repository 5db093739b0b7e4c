import { type FeedPlan, type FeedRecipe, readPlan } from '../../../lib/feeds/mapping/feed-mapping.ts';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { fillDefaults } from '../../../lib/feeds/mapping/fill-rows.ts';

export type Row = Record<string, unknown>;

const RECIPE: FeedRecipe = {
  mapping: null,
  defaults: {},
  dealer: null,
  class_from_vin: false,
  zero_price_is_call: true,
  source_provider_id: null,
};

/** @param columns null: rows name their values themselves */
export const makePlan = (
  columns: readonly string[] | null,
  rows: readonly Row[] = [],
  change: Partial<FeedRecipe> = {},
) =>
  readPlan(
    { ...RECIPE, ...change },
    columns,
    rows.map((fields, line) => ({ line, fields, fault: null })),
  );

export const listFields = ({ columns }: FeedPlan) =>
  Object.fromEntries(columns.flatMap(({ column, field }) => (field ? [[column, field]] : [])));

/** One row of a file of just these columns, as a record. */
export const buildRecord = (row: Row, change: Partial<FeedRecipe> = {}) => {
  const plan = makePlan(Object.keys(row), [row], change);
  return fillDefaults(recordReader(plan)(row), plan);
};

export const VIN = '1FUJGLDR3HLAB1234';
