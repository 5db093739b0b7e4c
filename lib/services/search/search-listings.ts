import { createHash } from 'node:crypto';
import { PRICE_BANDS } from '../../contract/price-bands.ts';
import { FACETS, type SearchInput, type Sort, SUMMARY_FIELDS } from '../../contract/search.ts';
import type { SearchFilters, SearchPosition, SearchResult } from '../../ports/search.ts';
import { accountOf, type Context, invalid } from '../context.ts';
import { foldFacets } from './fold-facets.ts';
import { searchFilters } from './search-filters.ts';

/** A search that has to add up more changes than this itself gets them folded after the answer. */
const FOLD_FROM = 2_000;

/** The account's listings that match, as the JSON text of the answer: page, facets, count and where to go on. */
export async function searchListings(ctx: Context, query: SearchInput): Promise<string> {
  const fields = fieldsOf(query);
  const { found, filters, next_cursor } = await findListings(ctx, query);
  const rest = { facets: facetsOf(found.facets, filters.make !== null), count: found.count, next_cursor };
  return `{"listings":${fields === null ? found.listings : narrowed(found.listings, fields)},${JSON.stringify(rest).slice(1)}`;
}

/** A page of the search, and the cursor to go on with. */
export async function findListings(
  ctx: Context,
  query: SearchInput,
): Promise<{ found: SearchResult; filters: SearchFilters; next_cursor: string | null }> {
  const { limit, cursor } = query;
  const sort = sortOf(query);
  const search = ctx.ports.search.of(accountOf(ctx).id);
  const filters = await searchFilters(query, {
    geocoder: ctx.ports.geocoder,
    names: () => search.names(),
  });
  const mark = markOf(filters, sort);
  const after = cursor === undefined ? null : positionOf(cursor, mark, sort);
  const found = await search.find({ filters, sort, after, limit });
  if (found.unfolded > FOLD_FROM) ctx.ports.background.run(foldFacets(ctx));
  ctx.note({ found: found.count.value, exact: found.count.exact });
  return { found, filters, next_cursor: found.next === null ? null : cursorOf(found.next, mark) };
}

function sortOf({ sort = 'newest', near, q }: SearchInput): Sort {
  if (sort === 'distance' && near === undefined) throw invalid('sort', '`distance` needs near');
  if (sort === 'relevance' && q === undefined) throw invalid('sort', '`relevance` needs q');
  return sort;
}

function fieldsOf({ fields }: SearchInput): ReadonlySet<string> | null {
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

/** A cursor goes on with the search it came from and with no other. */
function markOf(filters: SearchFilters, sort: Sort): string {
  return createHash('sha256')
    .update(JSON.stringify([filters, sort]))
    .digest('base64url')
    .slice(0, 12);
}

function cursorOf({ key, dedupHash }: SearchPosition, mark: string): string {
  return Buffer.from(JSON.stringify([mark, key, dedupHash])).toString('base64url');
}

const KEY_FORMS: readonly [RegExp, RegExp][] = [
  [/^newest$/, /^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/],
  [/^distance$/, /^\d{1,5}(?:\.\d{1,20})?(?:e-\d{1,3})?$/],
  [/./, /^-?\d{1,10}$/],
];

function positionOf(cursor: string, mark: string, sort: Sort): SearchPosition {
  const malformed = () => invalid('cursor', 'is not one that this service gave');
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw malformed();
  }
  if (!Array.isArray(parsed) || parsed.length !== 3) throw malformed();
  const [from, key, dedupHash]: unknown[] = parsed;
  if (typeof dedupHash !== 'string' || !/^[0-9a-f]{64}$/.test(dedupHash)) throw malformed();
  if (from !== mark)
    throw invalid('cursor', 'belongs to another search: filters and sort must stay the same');
  const form = KEY_FORMS.find(([of]) => of.test(sort))?.[1];
  if (key === null) return { key, dedupHash };
  if (typeof key !== 'string' || !form?.test(key)) throw malformed();
  return { key, dedupHash };
}

type Counted =
  | { value: string | number; count: number }
  | { from: number | null; to: number | null; count: number };

/** The facets in the contract's order: years from the newest, prices from the lowest, all else by count. */
function facetsOf(counts: SearchResult['facets'], withModels: boolean): Record<string, Counted[]> {
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
