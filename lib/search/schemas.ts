import * as z from 'zod/mini';
import { Listing, Quality } from '../inventory/schemas.ts';
import { about, digits, flag, integerParameter, Nullable, nameSchema } from '../truck/json.ts';
import {
  entryFor,
  FACET_NAMES,
  type FacetName,
  KIND_NAMES,
  type KindName,
  LISTED_NAMES,
  type ListedName,
  RANGED_NAMES,
  type RangedName,
} from '../truck/record/record.ts';
import { readSyncPoint } from './sync-point.ts';

/** Schemas of GET /v1/inventory. The values of filters are canonicalised by the service, as ingest does it. */

/** How a page is ordered; `-` is descending. Equal listings are ordered by their dedup hash. */
export const SORTS = [
  'newest',
  'price',
  '-price',
  'year',
  '-year',
  'mileage',
  '-mileage',
  'quality',
  '-quality',
  'distance',
] as const;
export type Sort = (typeof SORTS)[number];

export const SEARCH_LIMITS = {
  limit: 100,
  /** Without facets. */
  exportLimit: 1_000,
  values: 50,
  radius: 1_000,
  defaultRadius: 100,
  /** Values of one facet in an answer, the most frequent. */
  facetValues: 100,
  /** Characters of a cursor, which carries what the first page understood. */
  cursor: 6_000,
} as const;

/** `exportLimit` in prose. The formatter of a locale would cost every cold start 10 ms. */
const EXPORT_LIMIT = '1,000';

/** A listing's members in an answer of the search: all of GET by VIN that needs no look at history and market. */
const Summary = z.partial(
  z.extend(z.omit(Listing, { price_history: true, sources: true, market_position: true, origins: true }), {
    quality: Quality,
  }),
);
export const SUMMARY_FIELDS: readonly string[] = Object.keys(Summary.shape);

const isPlain = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text);
const splitValues = (text: string) => text.split(',').map((value) => value.trim());
const plain = (max: number) => z.string().check(z.maxLength(max), z.refine(isPlain, 'must be plain text'));

function list(what: string, example: string) {
  const sensible = (text: string) => {
    const values = splitValues(text);
    return (
      values.length <= SEARCH_LIMITS.values && values.every((value) => value !== '' && value.length <= 100)
    );
  };
  return z.optional(
    about(
      z.pipe(
        plain(2_000).check(
          z.refine(sensible, `must be 1 to ${SEARCH_LIMITS.values} values separated by commas`),
        ),
        z.pipe(z.transform(splitValues), z.array(z.string())),
      ),
      `${what} Separate several with commas.`,
      example,
    ),
  );
}

/** Parameters `<field>` of the record table. */
function listParameters() {
  const parameters = [...LISTED_NAMES, ...KIND_NAMES].map((name) => {
    const { values, kinds } = entryFor(name).search ?? {};
    const { about: what = '', example = '' } = values ?? kinds ?? {};
    return [name, list(what, example)] as const;
  });
  return Object.fromEntries(parameters) as Record<ListedName | KindName, ReturnType<typeof list>>;
}

/** Parameters `<field>_min` and `<field>_max` of the record table. */
function rangeParameters() {
  const parameters = RANGED_NAMES.flatMap((name) => {
    const { about: what = '', examples = [0, 0], bounds = [] } = entryFor(name).search?.range ?? {};
    return [
      [`${name}_min`, integerParameter(`Lowest ${what}`, examples[0], ...bounds)],
      [`${name}_max`, integerParameter(`Highest ${what}`, examples[1], ...bounds)],
    ] as const;
  });
  return Object.fromEntries(parameters) as Record<
    `${RangedName}_${'min' | 'max'}`,
    ReturnType<typeof integerParameter>
  >;
}

const updatedSince = z
  .string()
  .check(
    z.refine(
      (text) => readSyncPoint(text) !== null,
      'must be a date or a time with its zone, ISO 8601 (in a URL a plus sign is %2B), or a `synced_until`',
    ),
  );

export const SearchQuery = z.strictObject({
  q: z.optional(
    about(
      plain(200).check(z.refine((text) => /[\p{L}\p{N}]/u.test(text), 'must contain a word')),
      'What a buyer would type, in English, Spanish or French. Words for a make or model the account has, a model year, class, body, cab, fuel, transmission, drive, rear wheels, condition, state, price or mileage (`class 8`, `day cab under $60k`, `2018-2021`, `camión de volteo`) filter like parameters: `understood` says which. All other words must occur in the listing, at least as the beginning of a word; misspelled makes and models are corrected, short names (`pete`, `kw`) are understood, and words like “truck” are ignored. `near Dallas, TX` and `within 50 miles of 75201` are `near` and `radius`. After `no`, `not`, `without`, `except`, `sin` or `sans` a make, body, color or the like is excluded. Accents are ignored. `used` means not known to be new (`condition=used,unknown`), since few dealers send a condition. A word that was read as a filter always holds. If no listing has all other words, one of them is ignored, else all of them, and `understood.dropped` names them.',
      'peterbuilt 389 sleeper',
    ),
  ),
  ...listParameters(),
  ...rangeParameters(),
  quality_min: integerParameter('Lowest quality score.', 60, 0, 100),
  has_images: z.optional(about(flag, 'With or without images.', true)),
  has_price: z.optional(about(flag, 'With or without a price.', true)),
  updated_since: z.optional(
    about(
      updatedSince,
      'Listings changed at this time or later. The `synced_until` of an earlier answer misses nothing, not even writes then in progress. Returns listings of every status unless `status` is sent.',
      '2026-01-15T09:30:00Z',
    ),
  ),
  near: z.optional(
    about(
      plain(60),
      'A ZIP or Canadian postal code, a city with its state or province (`San Antonio, TX`), or latitude and longitude separated by a comma.',
      '78219',
    ),
  ),
  radius: integerParameter(
    `Miles around \`near\`; default ${SEARCH_LIMITS.defaultRadius}.`,
    50,
    1,
    SEARCH_LIMITS.radius,
  ),
  sort: z.optional(
    about(
      z.enum(SORTS),
      'Order; default `newest` (last changed first). Listings without a price or mileage come last. `distance` needs `near`.',
      '-price',
    ),
  ),
  fields: list('Members of a listing to return.', 'vin,make,model,price'),
  facets: z.optional(
    about(
      flag,
      `\`false\` leaves out facets and count, and allows pages of up to ${EXPORT_LIMIT} listings.`,
      false,
    ),
  ),
  limit: about(
    z._default(digits(1, SEARCH_LIMITS.exportLimit), 25),
    `Maximum listings per page: 1 to ${SEARCH_LIMITS.limit}, or to ${EXPORT_LIMIT} with \`facets=false\`. A page of more than 4 MB ends earlier.`,
    25,
  ),
  cursor: z.optional(
    about(z.string().check(z.maxLength(SEARCH_LIMITS.cursor)), 'The `next_cursor` of the previous page.'),
  ),
});
export type SearchInput = z.output<typeof SearchQuery>;

const Counted = z.object({ value: z.string(), count: z.int() });
const CountedYear = z.object({ value: z.int(), count: z.int() });
const CountedBand = z.object({
  from: about(Nullable.integer, 'Lowest price of the band; null: no lower bound.'),
  to: about(Nullable.integer, 'The band ends below this price; null: no upper bound.'),
  count: z.int(),
});

const facetValues = (facet: FacetName) => {
  if (facet === 'year') return z.array(CountedYear);
  return facet === 'price' ? z.array(CountedBand) : z.array(Counted);
};

const Facets = nameSchema(
  'SearchFacets',
  z.object({
    ...(Object.fromEntries(
      FACET_NAMES.filter((facet) => facet !== 'model').map((facet) => [facet, facetValues(facet)]),
    ) as Record<string, ReturnType<typeof facetValues>>),
    model: z.optional(about(z.array(Counted), 'Only with a filter `make`.')),
  }),
  `Number of matching listings per value, at most ${SEARCH_LIMITS.facetValues} values each; listings without a value are not counted. If \`count.exact\` is false, only \`count.value\` of the matching listings are counted.`,
);

export const SearchAnswer = nameSchema(
  'SearchResult',
  z.object({
    listings: about(z.array(Summary), 'The listings of the page; with `fields` only those members.'),
    facets: z.optional(Facets),
    count: z.optional(
      z.object({
        value: about(z.int(), 'Number of matching listings.'),
        exact: about(z.boolean(), 'False: more than `value` match, and `facets` count `value` of them.'),
      }),
    ),
    understood: about(
      z.object({
        filters: about(
          z.record(z.string(), z.array(z.union([z.string(), z.int()]))),
          'Filters read from words of `q`, with their values; `price_max` and the like have one.',
        ),
        words: about(z.array(z.string()), 'Words of `q` searched for in the text of the listings.'),
        without: z.optional(
          about(z.array(z.string()), 'Exclusions read from `q`, as written: `not freightliner`, `sin grúa`.'),
        ),
        dropped: z.optional(
          about(
            z.array(z.string()),
            'Words of `q` that were ignored: those that match no field, those after the twelfth, and one or all of them if no listing has them all.',
          ),
        ),
      }),
      'How `q` was read.',
    ),
    synced_until: about(
      z.string(),
      'Send it as the next `updated_since`, unchanged: no change is missed. All pages of a search return the first page’s value.',
      '2026-01-15T09:30:00.1234560000000048213Z',
    ),
    next_cursor: about(Nullable.text, 'Cursor of the next page; null on the last.'),
  }),
  'The listings of the account that match.',
);
