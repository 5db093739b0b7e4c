import * as z from 'zod/mini';
import { Listing, Quality } from '../inventory/schemas.ts';
import { about, digits, flag, Nullable, named, whole } from '../truck/json.ts';
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
  'relevance',
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
      `${what} Several values, separated by commas, are alternatives.`,
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
      [`${name}_min`, whole(`Lowest ${what}`, examples[0], ...bounds)],
      [`${name}_max`, whole(`Highest ${what}`, examples[1], ...bounds)],
    ] as const;
  });
  return Object.fromEntries(parameters) as Record<`${RangedName}_${'min' | 'max'}`, ReturnType<typeof whole>>;
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
      'What a buyer would type, in English, Spanish or French. Words for a make or model the account has, a model year, class, body, cab, fuel, transmission, drive, rear wheels, condition, state, price or mileage (`class 8`, `day cab under $60k`, `2018-2021`, `camión de volteo`) filter like parameters: `understood` says which. All other words have to occur in the listing, each also as the beginning of a word; misspelled makes and models are corrected, short names (`pete`, `kw`) are understood, and words like “truck” say nothing; behind `no`, `not`, `without`, `except`, `sin` or `sans` a make, body, color or the like is left out of what is found; accents do not matter. `used` finds what is not known to be new (`condition=used,unknown`), since few dealers send a condition. When no listing has what the words were read as, they are looked for as they were typed; when nothing has all words, one of them is left out, else all of them, and `understood.dropped` names them.',
      'peterbuilt 389 sleeper',
    ),
  ),
  ...listParameters(),
  ...rangeParameters(),
  quality_min: whole('Lowest quality score.', 60, 0, 100),
  has_images: z.optional(about(flag, 'With or without images.', true)),
  has_price: z.optional(about(flag, 'With or without a price.', true)),
  updated_since: z.optional(
    about(
      updatedSince,
      'Changed since the `synced_until` of an earlier answer, whatever was still being written then; or at this time or later. Finds listings of every status, unless `status` says otherwise.',
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
  radius: whole(
    `Miles around \`near\`; default ${SEARCH_LIMITS.defaultRadius}.`,
    50,
    1,
    SEARCH_LIMITS.radius,
  ),
  sort: z.optional(
    about(
      z.enum(SORTS),
      'Order; default newest (last changed first). Without a price or mileage comes last. `relevance` needs `q`: every hit has all words, so the best described come first. `distance` needs `near`.',
      '-price',
    ),
  ),
  fields: list('Members of a listing to answer.', 'vin,make,model,price'),
  facets: z.optional(
    about(flag, `\`false\`: neither facets nor count, and pages of up to ${EXPORT_LIMIT} listings.`, false),
  ),
  limit: about(
    z._default(digits(1, SEARCH_LIMITS.exportLimit), 25),
    `Most listings of a page, 1 to ${SEARCH_LIMITS.limit}, with \`facets=false\` to ${EXPORT_LIMIT}. A page ends earlier where its listings would be more than 4 MB.`,
    25,
  ),
  cursor: z.optional(
    about(z.string().check(z.maxLength(SEARCH_LIMITS.cursor)), 'The `next_cursor` of the page before.'),
  ),
});
export type SearchInput = z.output<typeof SearchQuery>;

const Counted = z.object({ value: z.string(), count: z.int() });
const CountedYear = z.object({ value: z.int(), count: z.int() });
const CountedBand = z.object({
  from: about(Nullable.integer, 'Lowest price of the band; null: from nothing.'),
  to: about(Nullable.integer, 'The band ends below this price; null: no end.'),
  count: z.int(),
});

const counted = (facet: FacetName) => {
  if (facet === 'year') return z.array(CountedYear);
  return facet === 'price' ? z.array(CountedBand) : z.array(Counted);
};

const Facets = named(
  'SearchFacets',
  z.object({
    ...(Object.fromEntries(
      FACET_NAMES.filter((facet) => facet !== 'model').map((facet) => [facet, counted(facet)]),
    ) as Record<string, ReturnType<typeof counted>>),
    model: z.optional(about(z.array(Counted), 'Only when a make is chosen.')),
  }),
  `How many of the listings found have which value, at most ${SEARCH_LIMITS.facetValues} values each; listings without a value are not counted. When \`count.exact\` is false, of \`count.value\` of them.`,
);

export const SearchAnswer = named(
  'SearchResult',
  z.object({
    listings: about(z.array(Summary), 'The page. With `fields` only those members.'),
    facets: z.optional(Facets),
    count: z.optional(
      z.object({
        value: about(z.int(), 'Listings found.'),
        exact: about(z.boolean(), 'False: more than `value` were found, and `facets` count `value` of them.'),
      }),
    ),
    understood: about(
      z.object({
        filters: about(
          z.record(z.string(), z.array(z.union([z.string(), z.int()]))),
          'Parameters that words of `q` were read as, with their values; `price_max` and its like have one.',
        ),
        words: about(z.array(z.string()), 'Words of `q` that are looked for in the text of the listings.'),
        without: z.optional(
          about(
            z.array(z.string()),
            'What no listing found may be like, as it stands in `q`: `not freightliner`, `sin grúa`.',
          ),
        ),
        dropped: z.optional(
          about(
            z.array(z.string()),
            'Words of `q` that were left out: what listings have no field for, words behind the twelfth, and one or all where nothing has all of them.',
          ),
        ),
      }),
      'How `q` was read.',
    ),
    synced_until: about(
      z.string(),
      'The next `updated_since`: whatever this search could not see yet is found by it. All pages of a search answer that of the first. A time with more digits than times have: send it as it is.',
      '2026-01-15T09:30:00.1234560000000048213Z',
    ),
    next_cursor: about(Nullable.text, 'For the next page of the same search; null on the last.'),
  }),
  'The listings of the account that match.',
);
