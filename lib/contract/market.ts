import * as z from 'zod/mini';
import { about, IsoTime, line, Nullable, named, whole } from './json.ts';

/** Schemas of the market-data routes. Values of filters are canonicalised by the service, as ingest does it. */

const word = (what: string, example: string) => z.optional(about(line(80), what, example));

const kind = {
  make: word('Make; aliases and misspellings are resolved.', 'Freightliner'),
  model: word(
    'Model, without regard to case, blanks, dashes, dots and slashes; only with `make`.',
    'Cascadia',
  ),
  class: word('Weight class, 3 to 8.', '8'),
};

export const PricesQuery = z.strictObject({
  ...kind,
  year: whole('Model year.', 2021, 1900, 2200),
  year_min: whole('Lowest model year.', 2018, 1900, 2200),
  year_max: whole('Highest model year.', 2022, 1900, 2200),
  body_type: word('Truck body.', 'sleeper_tractor'),
  state: word('State or province, by name or two letters.', 'TX'),
  condition: word('`new` or `used`.', 'used'),
  fuel_type: word('Fuel.', 'diesel'),
  mileage_min: whole('Lowest mileage; taken down to a multiple of 10,000.', 0),
  mileage_max: whole('Highest mileage; taken up to a multiple of 10,000.', 500_000),
});
export type PricesInput = z.output<typeof PricesQuery>;

const figure = Nullable.integer;
export const Figures = named(
  'MarketFigures',
  z.object({
    count: about(z.int(), 'Listings behind these figures.'),
    p10: figure,
    p25: figure,
    p50: about(figure, 'The median.'),
    p75: figure,
    p90: figure,
    mean: figure,
    min: about(figure, 'Withheld below 20 listings or 3 sellers.'),
    max: about(figure, 'Withheld below 20 listings or 3 sellers.'),
  }),
  'Figures of a sample; null where they are withheld. Prices are rounded to $100, mileages to 1,000; below 20 listings or 3 sellers to $500 and 5,000. About the caller’s own listings they are exact.',
);

const scope = about(
  z.enum(['market', 'own']),
  '`own`: all of these listings are the caller’s, so nothing is withheld.',
);
const withheld = about(
  z.nullable(z.enum(['too_few_listings', 'too_few_sellers'])),
  'Why there are no figures: fewer than 5 listings (or a single one that is not the caller’s), or fewer than 2 sellers.',
);
const approximate = about(
  z.boolean(),
  'True: the sample was too large to look at each listing, so the figures come from histograms (quantiles within about 1 %; shares of body, state, condition, fuel and mileage estimated).',
);
const Filters = about(
  z.record(z.string(), z.union([z.string(), z.int()])),
  'The filters as they were understood.',
);

const reason = z.object({
  code: z.enum(['price', 'model_year', 'mileage', 'few_comparables', 'no_price']),
  text: z.string(),
});

export const ComparablesParams = z.object({
  vin: about(
    z.string().check(z.length(17, 'must be exactly 17 characters')),
    'VIN of a listing of the account, exactly 17 characters, upper case.',
    '3AKJHHDR0KSKA1234',
  ),
});

export const ComparablesAnswer = named(
  'MarketComparables',
  z.object({
    vin: z.string(),
    scope,
    count: about(z.int(), 'Comparable trucks, at most 30.'),
    withheld,
    truck: z.object({
      year: z.int(),
      make: Nullable.text,
      model: Nullable.text,
      class: Nullable.text,
      mileage: Nullable.integer,
      price: Nullable.integer,
    }),
    chosen: about(
      z.object({
        by: z.enum(['same_model', 'same_make_class_and_body']),
        make: Nullable.text,
        model: Nullable.text,
        class: Nullable.text,
        year_min: z.int(),
        year_max: z.int(),
        considered: about(z.int(), 'Trucks of which the most similar were taken.'),
      }),
      'How the comparable trucks were chosen.',
    ),
    market: about(Figures, 'Prices of the comparable trucks, adjusted to this one’s model year and mileage.'),
    percentile: about(
      Nullable.integer,
      'Share of the adjusted prices below this truck’s, in percent; in steps of 5 unless all trucks are the caller’s.',
    ),
    verdict: about(
      z.nullable(
        z.enum(['well_below_market', 'below_market', 'at_market', 'above_market', 'well_above_market']),
      ),
      'The price against the adjusted median: within 5 % is at, from 15 % on is well below or above.',
    ),
    reasons: z.array(reason),
    comparables: about(
      z.array(
        z.object({
          year: z.int(),
          mileage: about(Nullable.integer, 'Rounded to 5,000.'),
          price: about(z.int(), 'Rounded to $500.'),
          adjusted_price: about(z.int(), 'Brought to this truck’s model year and mileage, rounded to $500.'),
          state: about(Nullable.text, 'Only where several sellers of the sample are.'),
          similarity: about(z.int(), '100: the same model year and mileage.'),
        }),
      ),
      'Most similar first. They never tell whose they are.',
    ),
    as_of: IsoTime,
  }),
  'Trucks comparable with one of the account’s, and what they say of its price.',
);

export const TrendsQuery = z.strictObject({
  ...kind,
  weeks: z._default(whole('How many weeks, up to the one under way; default 12.', 12, 1, 52), 12),
});
export type TrendsInput = z.output<typeof TrendsQuery> & { weeks: number };

export const TrendsAnswer = named(
  'MarketTrends',
  z.object({
    scope,
    withheld,
    approximate,
    weeks: about(
      z.array(
        z.object({
          week: about(z.string(), 'Its Monday, UTC.', '2026-01-12'),
          supply: about(z.int(), 'Trucks for sale at the end of the week; of the week under way, now.'),
          median_price: about(figure, 'Median asking price of the supply.'),
          price_count: about(z.int(), 'Trucks of the supply that have a price.'),
          sold: about(Nullable.integer, 'Trucks sold in the week.'),
          days_on_market: about(figure, 'Median days from first listing to sale, of those sold in the week.'),
          withheld,
        }),
      ),
      'Ascending; the last one is under way.',
    ),
    filters: Filters,
    as_of: about(IsoTime, 'Every change before this time is counted.'),
  }),
  'The market of a kind of truck, week by week.',
);

export const PricesAnswer = named(
  'MarketPrices',
  z.object({
    scope,
    count: about(z.int(), 'Available listings that match, with a price or without.'),
    withheld,
    approximate,
    price: Figures,
    mileage: Figures,
    by_year: z.array(
      z.object({
        year: z.int(),
        count: z.int(),
        price_p50: figure,
        mileage_p50: figure,
        withheld,
      }),
    ),
    filters: Filters,
    as_of: about(IsoTime, 'Every change before this time is counted.'),
  }),
  'What matching trucks are offered for, across all accounts.',
);
