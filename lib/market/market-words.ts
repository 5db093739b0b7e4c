/** Words that market answers use. */

/** Why figures about other sellers are withheld. */
export const WITHHELD = [
  'too_few_listings',
  'too_few_sellers',
  'dominant_seller',
  'sample_too_small',
] as const;
export type Withheld = (typeof WITHHELD)[number];

/** What may be widened to find comparable trucks. */
export const RELAXABLE = ['body', 'cab', 'model'] as const;
export type Relaxed = (typeof RELAXABLE)[number];

/** What an answer says of a price is about. */
export const REASONS = [
  'price',
  'model_year',
  'mileage',
  'condition',
  'class',
  'body',
  'model',
  'cab',
  'few_comparables',
  'no_price',
  'currency',
] as const;

export const VERDICTS = [
  'well_below_market',
  'below_market',
  'at_market',
  'above_market',
  'well_above_market',
  'not_distinguishable',
] as const;
export type Verdict = (typeof VERDICTS)[number];
