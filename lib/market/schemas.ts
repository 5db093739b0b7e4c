import * as z from 'zod/mini';
import { about, IsoTime, integerParameter, line, Nullable, nameSchema } from '../truck/json.ts';
import { WITHHELD } from './figures/market-rule.ts';

/** Schemas of the market-data routes. The service canonicalises the values of filters as it does those of records. */

/** Traits in which comparable trucks may differ if there are too few that share them. */
export const RELAXABLE = ['body', 'cab', 'model'] as const;
export type Relaxed = (typeof RELAXABLE)[number];

/** What a reason for a verdict, or for none, is about. */
export const REASONS = [
  'price',
  'mileage',
  'condition',
  'class',
  'body',
  'model',
  'cab',
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

const word = (description: string, example: string) => z.optional(about(line(80), description, example));

const kind = {
  make: word('Make; aliases and misspellings are resolved.', 'Freightliner'),
  model: word(
    'Whole model name as in the listings; case, blanks, dashes, dots and slashes are ignored. Only with `make`.',
    'Cascadia 126',
  ),
  class: word('Weight class.', 'class_8'),
};

export const PricesQuery = z.strictObject({
  ...kind,
  year: integerParameter('Model year.', 2021, 1900, 2200),
  year_min: integerParameter('Lowest model year.', 2018, 1900, 2200),
  year_max: integerParameter('Highest model year.', 2022, 1900, 2200),
  body_type: word(
    'Truck body. A word that is no known body matches trucks whose dealers wrote it.',
    'sleeper_tractor',
  ),
  state: word('State or province, by name or two letters.', 'TX'),
  condition: word('`new`, `used` or, if not stated, `unknown`.', 'used'),
  fuel_type: word('Fuel. A word that is no known fuel matches trucks whose dealers wrote it.', 'diesel'),
  mileage_min: integerParameter('Lowest mileage, rounded down to a multiple of 10,000.', 0),
  mileage_max: integerParameter('Highest mileage, rounded up to a multiple of 10,000.', 500_000),
});
export type PricesInput = z.output<typeof PricesQuery>;

const figure = Nullable.integer;
const FIGURES = {
  count: about(z.int(), 'Trucks behind these figures: those with a price, or with a mileage.'),
  p10: figure,
  p25: figure,
  p50: about(figure, 'The median.'),
  p75: figure,
  p90: figure,
  mean: figure,
  min: figure,
  max: figure,
};
const withheld = about(
  z.nullable(nameSchema('MarketWithheld', z.enum(WITHHELD), 'Why figures about other sellers are withheld.')),
  'Why there are no figures: fewer than 5 trucks of others, fewer than 3 other sellers, or one of them has more than 80 % of the trucks; `sample_too_small`: the market is too large to read every truck, and too few of the sampled trucks match, though the market may have enough. Null when there are figures.',
);
const MarketFigures = nameSchema(
  'MarketFigures',
  z.object({ ...FIGURES, withheld }),
  'Figures of other sellers’ trucks, each VIN once; null where they are withheld. Prices are rounded to $500 and mileages to 5,000 mi before anything is computed, and so is every figure.',
);
const OwnFigures = nameSchema(
  'OwnFigures',
  z.object(FIGURES),
  'Exact figures of the caller’s own trucks; null when there are none.',
);
const count = about(z.int(), 'Matching trucks of other sellers, each VIN once.');
const sellers = about(z.int(), 'Sellers whose trucks were considered.');
const approximate = about(
  z.boolean(),
  'True: there are more than 2,000 trucks, so the market’s figures come from a random sample and its counts are estimates.',
);
const Filters = about(z.record(z.string(), z.union([z.string(), z.int()])), 'The filters as they were read.');

const reason = z.object({ code: z.enum(REASONS), text: z.string() });

export const ComparablesParams = z.object({
  vin: about(
    z.string().check(z.length(17, 'must be exactly 17 characters')),
    'VIN of a listing of the account, exactly 17 characters, any case.',
    '3AKJHHDR0KSKA1234',
  ),
});

const Interval = z.object({ low: z.int(), high: z.int() });

export const ComparablesAnswer = nameSchema(
  'MarketComparables',
  z.object({
    vin: z.string(),
    truck: z.object({
      year: z.int(),
      make: Nullable.text,
      model: Nullable.text,
      class: Nullable.text,
      mileage: Nullable.integer,
      price: Nullable.integer,
      currency: about(
        Nullable.text,
        'A price in a currency other than USD has no verdict and no percentile.',
      ),
    }),
    chosen: about(
      z.object({
        year_min: z.int(),
        year_max: z.int(),
        considered: about(z.int(), 'Number of trucks from which these were chosen.'),
      }),
      'How the comparable trucks were chosen: same make, class, condition, body and cab, and usually the same model.',
    ),
    relaxed: about(
      z.array(z.enum(RELAXABLE)),
      'Criteria that were widened to find enough trucks. `body`: other bodies of the same family; `cab`: trucks whose cab is not known; `model`: other models of the make. With `cab` or `model` there is no verdict.',
    ),
    market: z.object({
      count: about(z.int(), 'Comparable trucks, at most 30.'),
      sellers,
      withheld,
      price: about(
        z.object(FIGURES),
        'Prices of the comparable trucks, adjusted to this truck’s model year and mileage, rounded to $500.',
      ),
    }),
    own: about(
      z.object({ count: z.int(), price: OwnFigures }),
      'The caller’s other trucks of the same model, class and body, not adjusted.',
    ),
    percentile: about(
      Nullable.integer,
      'Percentage of adjusted prices below this truck’s price, rounded to 5.',
    ),
    verdict: about(
      z.nullable(z.enum(VERDICTS)),
      'Below or above: `interval` lies entirely on one side of 0; well below or above: entirely beyond 5 %, and the price is at least 15 % off. `at_market`: within 5 % of the median, and the interval is narrow. Otherwise `not_distinguishable`, and without an interval if the trucks may not be alike: the condition, class, body or model of this truck is not stated, model or cab was widened, or the mileage of this used truck or of most others is not stated. `reasons` say which.',
    ),
    interval: about(
      z.nullable(Interval),
      'Distance of the price from this truck’s fair price, in percent, as a 95 % confidence interval that covers the spread of fair prices and the size of the sample.',
    ),
    reasons: z.array(reason),
    comparables: about(
      z.array(
        z.object({
          year: z.int(),
          mileage: about(Nullable.integer, 'Rounded to 5,000.'),
          price: about(z.int(), 'Rounded to $500.'),
          adjusted_price: about(z.int(), 'Adjusted to this truck’s model year and mileage, rounded to $500.'),
          state: about(Nullable.text, 'Only if several sellers of the sample are in it.'),
          similarity: about(z.int(), '100: the same model year and mileage.'),
        }),
      ),
      'Most similar first. Sellers are not named.',
    ),
    as_of: IsoTime,
  }),
  'Other sellers’ trucks comparable with one of the account’s, and how its price compares.',
);

export const TrendsQuery = z.strictObject({
  ...kind,
  weeks: z._default(
    integerParameter(
      'Number of weeks, ending with the current one; default 12. Weeks before the first truck are left out.',
      12,
      1,
      52,
    ),
    12,
  ),
});
export type TrendsInput = z.output<typeof TrendsQuery> & { weeks: number };

const WEEK = {
  week: about(z.string(), 'Monday of the week, UTC.', '2026-01-12'),
  supply: about(z.int(), 'Trucks for sale at the end of the week, or now in the current week.'),
  median_price: about(figure, 'Median asking price of the supply.'),
  price_count: about(z.int(), 'Trucks of the supply with a price.'),
  sold: about(
    Nullable.integer,
    'Trucks sold in the week. A truck counts once per stay on the lot, and not if it was available again within 7 days.',
  ),
  vanished: about(Nullable.integer, 'Trucks that vanished from a feed and were not reported as sold.'),
  days_on_market: about(figure, 'Median days from a truck’s last arrival on the lot to its sale.'),
};

export const TrendsAnswer = nameSchema(
  'MarketTrends',
  z.object({
    market: z.object({
      count: about(z.int(), 'Trucks of other sellers in all weeks together, each VIN once.'),
      sellers,
      feed_only_sellers: about(
        z.int(),
        'Sellers among them whose trucks only vanish from feeds; their sales are not counted.',
      ),
      withheld,
      weeks: about(
        z.array(z.object({ ...WEEK, withheld })),
        'Oldest first. The last one is the current week; its supply and prices are those of GET /v1/market-data/prices.',
      ),
    }),
    own: z.object({
      feed_only: about(
        z.boolean(),
        'True: the account’s trucks only vanish from its feeds, so `sold` and `days_on_market` mean nothing. Report sales by PATCH.',
      ),
      weeks: z.array(z.object(WEEK)),
    }),
    approximate: about(
      z.boolean(),
      'True: figures come from a random sample (the market beyond 300 trucks for sale or 300 gone, the caller’s own beyond 5,000), and counts are estimates.',
    ),
    filters: Filters,
    as_of: about(IsoTime, 'Changes before this time are included.'),
  }),
  'Weekly trends of one kind of truck.',
);

const BY_YEAR = { year: z.int(), count: z.int(), price_p50: figure, mileage_p50: figure };

export const PricesAnswer = nameSchema(
  'MarketPrices',
  z.object({
    market: about(
      z.object({
        count,
        sellers,
        withheld,
        price: MarketFigures,
        mileage: MarketFigures,
        by_year: z.array(z.object({ ...BY_YEAR, withheld })),
      }),
      'Available trucks of other sellers, with or without a price. The caller’s trucks are not in it.',
    ),
    own: about(
      z.object({
        count: about(z.int(), 'The caller’s own matching available trucks, each VIN once.'),
        price: OwnFigures,
        mileage: OwnFigures,
        by_year: z.array(z.object(BY_YEAR)),
      }),
      'Exact.',
    ),
    approximate,
    filters: Filters,
    as_of: about(IsoTime, 'Changes before this time are included.'),
  }),
  'Asking prices of matching trucks, of other sellers and of the caller.',
);
