import { FEED_DEFAULTS } from '../../../lib/feeds/feed.ts';
import { type FeedPlan, type FeedRecipe, readPlan } from '../../../lib/feeds/mapping/feed-mapping.ts';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { fillDefaults } from '../../../lib/feeds/mapping/fill-rows.ts';

export type Row = Record<string, unknown>;

/** @param columns null: rows name their values themselves */
export const makePlan = (
  columns: readonly string[] | null,
  rows: readonly Row[] = [],
  change: Partial<FeedRecipe> = {},
) =>
  readPlan(
    { ...FEED_DEFAULTS, ...change },
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
