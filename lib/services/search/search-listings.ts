import { PRICE_BANDS } from '../../contract/price-bands.ts';
import { FACETS, SEARCH_LIMITS, type SearchInput, type Sort, SUMMARY_FIELDS } from '../../contract/search.ts';
import { quoted } from '../../domain/text/text.ts';
import type { SearchPage, SearchRequest, SearchResult } from '../../ports/search.ts';
import { type Context, conflicting, invalid, onlyDealer, requireAccount } from '../context.ts';
import { findWithLess } from './find-with-less.ts';
import { foldFacets } from './fold-facets.ts';
import { readCursor, toCursor } from './search-cursor.ts';
import { type Reading, readByNames, searchFilters } from './search-filters.ts';

/** A search that has to add up more changes than this itself gets them folded after the answer. */
const FOLD_FROM = 2_000;

/** The account's listings that match, as the JSON text of the answer: page, facets, count and where to go on. */
export async function searchListings(ctx: Context, query: SearchInput): Promise<string> {
  const fields = parseFields(query);
  const search = query.facets === false ? await findPage(ctx, query, fields) : await findCounted(ctx, query);
  const { page, reading, synced_until, next_cursor, ...counted } = search;
  const understood = toUnderstood(reading);
  const rest = { ...counted, understood, synced_until, next_cursor };
  const listings = fields === null ? page.listings : narrowed(page.listings, fields);
  return `{"listings":${listings},${JSON.stringify(rest).slice(1)}`;
}

async function findCounted(ctx: Context, query: SearchInput) {
  const { found, filters, ...rest } = await findListings(ctx, query);
  return { ...rest, page: found, facets: toFacets(found.facets, filters.make !== null), count: found.count };
}

/** How `q` was read; what is looked for as a maker of engines too was asked for as a make. */
function toUnderstood(reading: Reading | null) {
  const { filters: { maker, ...filters } = {}, words = [], without, dropped } = reading?.query ?? {};
  return {
    filters: maker === undefined ? filters : { ...filters, make: maker },
    words,
    ...(without && without.texts.length > 0 ? { without: without.texts } : {}),
    ...(dropped ? { dropped } : {}),
  };
}

async function findPage(ctx: Context, query: SearchInput, fields: ReadonlySet<string> | null) {
  const withoutImages = fields !== null && !fields.has('images');
  const { search, found } = await searchWords(ctx, query, (request) =>
    toSearch(ctx).findPage({ ...request, withoutImages }),
  );
  return { page: found, ...toWalk(ctx, search, found) };
}

/** A page of the search, counted, and the cursor to go on with. */
export async function findListings(ctx: Context, query: SearchInput) {
  if (query.limit > SEARCH_LIMITS.limit)
    throw invalid('limit', `must be at most ${SEARCH_LIMITS.limit}, or go with facets=false`, {
      reason: 'out_of_range',
      received: query.limit,
    });
  const { search, found } = await searchWords(ctx, query, toSearch(ctx).find);
  if (found.pending > FOLD_FROM) ctx.ports.background.run(foldFacets(ctx.ports));
  ctx.note({ found: found.count.value, exact: found.count.exact });
  return { found, filters: search.request.filters, ...toWalk(ctx, search, found) };
}

/** Searches, with less of the words of `q` when nothing has them all. */
async function searchWords<Found extends SearchPage>(
  ctx: Context,
  query: SearchInput,
  find: (request: SearchRequest) => Promise<Found>,
) {
  const search = await prepareSearch(ctx, query);
  const found = await find(search.request);
  if (!isEmpty(found) || search.from !== null || search.reading === null) return { search, found };
  const less = await findWithLess(search.reading, {
    find: async (reading) => {
      const request = { ...search.request, filters: await filtersFor(ctx, search.query, reading) };
      const found = await find(request);
      return isEmpty(found) ? null : { request, found };
    },
    countWords: toSearch(ctx).countWords,
  });
  if (less === null) return { search, found };
  return { search: { ...search, reading: less.reading, request: less.request }, found: less.found };
}

const isEmpty = ({ listings }: SearchPage) => listings === '[]';

const toSearch = (ctx: Context) => ctx.ports.search.of(requireAccount(ctx).id);

/** A key of one dealer sees that dealer's, visitors of its site trucks only, each once. */
async function filtersFor(ctx: Context, query: SearchInput, reading: Reading | null) {
  const asked = await searchFilters(query, reading, ctx.ports.geocoder);
  const only = onlyDealer(ctx);
  const dealer = only === null ? asked.dealer : (asked.dealer ?? [only]).filter((slug) => slug === only);
  return { ...asked, dealer, for_visitors: ctx.dealer === null ? null : (true as const) };
}

/** A query as it is searched for, and what its pages have in common. */
async function prepareSearch(ctx: Context, input: SearchInput) {
  const query = { ...input, sort: checkSort(input) };
  const from = query.cursor === undefined ? null : readCursor(query.cursor, query, ctx.ports);
  const reading = from === null ? await readByNames(query, () => toSearch(ctx).names()) : from.reading;
  const filters = await filtersFor(ctx, query, reading);
  const { sort, limit } = query;
  return { query, from, reading, request: { filters, sort, after: from?.after ?? null, limit } };
}

function toWalk(
  ctx: Context,
  { query, from, reading }: Awaited<ReturnType<typeof prepareSearch>>,
  page: SearchPage,
) {
  const syncedUntil = from?.syncedUntil ?? page.syncedUntil;
  const next_cursor = page.next && toCursor(query, page.next, { reading, syncedUntil }, ctx.ports);
  return { reading, synced_until: syncedUntil, next_cursor };
}

function checkSort({ sort = 'newest', near, q }: SearchInput): Sort {
  if (sort === 'distance' && near === undefined) throw conflicting('sort', '`distance` needs near');
  if (sort === 'relevance' && q === undefined) throw conflicting('sort', '`relevance` needs q');
  return sort;
}

function parseFields({ fields }: SearchInput): ReadonlySet<string> | null {
  const unknown = fields?.find((name) => !SUMMARY_FIELDS.includes(name));
  if (unknown !== undefined)
    throw invalid('fields', `names ${quoted(unknown)}, which listings do not have`, {
      fix: `Send any of: ${SUMMARY_FIELDS.join(', ')}.`,
      received: unknown,
    });
  return fields ? new Set(fields) : null;
}

function narrowed(listings: string, fields: ReadonlySet<string>): string {
  const parsed: Record<string, unknown>[] = JSON.parse(listings);
  return JSON.stringify(
    parsed.map((listing) => Object.fromEntries(Object.entries(listing).filter(([name]) => fields.has(name)))),
  );
}

type Counted =
  | { value: string | number; count: number }
  | { from: number | null; to: number | null; count: number };

/** The facets in the contract's order: years from the newest, prices from the lowest, all else by count. */
function toFacets(counts: SearchResult['facets'], withModels: boolean): Record<string, Counted[]> {
  const facets: Record<string, Counted[]> = {};
  for (const facet of FACETS) {
    if (facet === 'model' && !withModels) continue;
    const of = counts.filter(([name]) => name === facet);
    if (facet === 'year') {
      const years = of.map(([, value, count]) => ({ value: Number(value), count }));
      facets[facet] = years.sort((a, b) => b.value - a.value);
    } else if (facet === 'price') {
      const bands = [...of].sort(([, a], [, b]) => Number(a) - Number(b));
      facets[facet] = bands.map(([, band, count]) => ({
        from: PRICE_BANDS[Number(band) - 1] ?? null,
        to: PRICE_BANDS[Number(band)] ?? null,
        count,
      }));
    } else facets[facet] = of.map(([, value, count]) => ({ value, count }));
  }
  return facets;
}
