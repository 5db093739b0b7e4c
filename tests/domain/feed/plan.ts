import { type FeedPlan, type FeedRecipe, planFeed } from '../../../lib/feeds/mapping/feed-mapping.ts';
import { recordReader, withDefaults } from '../../../lib/feeds/mapping/feed-record.ts';

export type Row = Record<string, unknown>;

export const recipe = (change: Partial<FeedRecipe> = {}): FeedRecipe => ({
  columns: null,
  mapping: null,
  defaults: {},
  class_from_vin: false,
  zero_price_is_call: true,
  source_provider_id: null,
  ...change,
});

export const makePlan = (
  columns: readonly string[],
  rows: readonly Row[] = [],
  change: Partial<FeedRecipe> = {},
) => planFeed(rows, recipe({ columns, ...change }));

export const listFields = ({ columns }: FeedPlan) =>
  Object.fromEntries(columns.flatMap(({ column, field }) => (field ? [[column, field]] : [])));

/** One row of a file of just these columns, as a record. */
export const buildRecord = (row: Row, change: Partial<FeedRecipe> = {}) => {
  const plan = planFeed([row], recipe({ columns: Object.keys(row), ...change }));
  return withDefaults(recordReader(plan)(row), plan);
};

export const VIN = '1FUJGLDR3HLAB1234';
