import type { FeedSettings } from '../feed.ts';
import type { FeedRow } from '../feed-file.ts';
import { type FeedPlan, type FeedRecipe, planFeed } from './feed-mapping.ts';

/** Rows that the columns' meaning is judged by. */
const SAMPLE = 50;

export function readPlan(
  feed: Pick<FeedSettings, 'dealer' | 'defaults' | keyof Omit<FeedRecipe, 'columns' | 'defaults'>>,
  columns: readonly string[] | null,
  rows: readonly FeedRow[],
): FeedPlan {
  const { mapping, class_from_vin, zero_price_is_call, source_provider_id } = feed;
  const defaults = { ...(feed.dealer === null ? {} : { dealer: feed.dealer }), ...feed.defaults };
  const sample = rows.flatMap(({ fields }) => (fields === null ? [] : [fields])).slice(0, SAMPLE);
  const recipe = { columns, mapping, defaults, class_from_vin, zero_price_is_call, source_provider_id };
  return planFeed(sample, recipe);
}
