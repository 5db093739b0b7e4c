export interface FeedRecipe {
  columns: readonly string[] | null;
  mapping: Record<string, string | null> | null;
  defaults: Record<string, unknown>;
  class_from_vin: boolean;
  zero_price_is_call: boolean;
  source_provider_id: string | null;
}
export type FeedPlan = { defaults: Record<string, unknown> };
export function planFeed(_rows: readonly Record<string, unknown>[], recipe: FeedRecipe): FeedPlan {
  return { defaults: recipe.defaults };
}
