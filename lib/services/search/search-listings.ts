import { PRICE_BANDS } from '../../contract/price-bands.ts';
import { FACETS, type SearchInput, type Sort, SUMMARY_FIELDS } from '../../contract/search.ts';
import type { SearchFilters, SearchResult } from '../../ports/search.ts';
import { type Context, invalid, requireAccount } from '../context.ts';
import { foldFacets } from './fold-facets.ts';
import { readCursor, toCursor } from './search-cursor.ts';
import { type Reading, readByNames, searchFilters } from './search-filters.ts';

/** A search that has to add up more changes than this itself gets them folded after the answer. */
const FOLD_FROM = 2_000;

/** The account's listings that match, as the JSON text of the answer: page, facets, count and where to go on. */
export async function searchListings(ctx: Context, query: SearchInput): Promise<string> {
  const fields = parseFields(query);
  const { found, filters, reading, next_cursor } = await findListings(ctx, query);
  const understood = { filters: reading?.query.filters ?? {}, words: reading?.query.words ?? [] };
  const facets = toFacets(found.facets, filters.make !== null);
  const rest = { facets, count: found.count, understood, next_cursor };
  return `{"listings":${fields === null ? found.listings : narrowed(found.listings, fields)},${JSON.stringify(rest).slice(1)}`;
}

interface Found {
  found: SearchResult;
  filters: SearchFilters;
  reading: Reading | null;
  next_cursor: string | null;
}

/** A page of the search, and the cursor to go on with. */
export async function findListings(ctx: Context, input: SearchInput): Promise<Found> {
  const query = { ...input, sort: checkSort(input) };
  const secret = ctx.ports.settings.tokenSecret;
  const search = ctx.ports.search.of(requireAccount(ctx).id);
  const from = query.cursor === undefined ? null : readCursor(query.cursor, query, secret);
  const reading = from === null ? await readByNames(query, () => search.names()) : from.reading;
  const filters = await searchFilters(query, reading, ctx.ports.geocoder);
  const { sort, limit } = query;
  const found = await search.find({ filters, sort, after: from?.after ?? null, limit });
  if (found.unfolded > FOLD_FROM) ctx.ports.background.run(foldFacets(ctx));
  ctx.note({ found: found.count.value, exact: found.count.exact });
  return { found, filters, reading, next_cursor: found.next && toCursor(query, found.next, reading, secret) };
}

function checkSort({ sort = 'newest', near, q }: SearchInput): Sort {
  if (sort === 'distance' && near === undefined) throw invalid('sort', '`distance` needs near');
  if (sort === 'relevance' && q === undefined) throw invalid('sort', '`relevance` needs q');
  return sort;
}

function parseFields({ fields }: SearchInput): ReadonlySet<string> | null {
  const unknown = fields?.find((name) => !SUMMARY_FIELDS.includes(name));
  if (unknown !== undefined) throw invalid('fields', `a listing has no member "${unknown}"`);
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
