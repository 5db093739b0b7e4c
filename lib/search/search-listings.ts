import { type Context, conflicting, invalid, onlyDealer, requireAccount } from '../http/context.ts';
import { FACET_NAMES } from '../truck/record/record.ts';
import { quoteValue } from '../truck/text/text.ts';
import { PRICE_BANDS } from './price-bands.ts';
import { findPage, readMoment, readNames, type SearchResult } from './queries/find.ts';
import { readWithLess } from './read-with-less.ts';
import type { SearchFilters } from './request.ts';
import { SEARCH_LIMITS, type SearchInput, SUMMARY_FIELDS } from './schemas.ts';
import { readCursor, toCursor } from './search-cursor.ts';
import { type Query, type Reading, readByNames, searchFilters } from './search-filters.ts';
import { readPlace } from './words/place-words.ts';

/** The account's listings that match, as the JSON text of the answer: page, facets, count and where to go on. */
export async function searchListings(ctx: Context, query: SearchInput): Promise<string> {
  checkFields(query);
  const { listings, count, facets, filters, reading, ...walk } = await findListings(ctx, query);
  const counted = query.facets === false ? {} : { facets: toFacets(facets, filters), count };
  const rest = { ...counted, understood: toUnderstood(reading), ...walk };
  return `{"listings":${pickFields(listings, query.fields)},${JSON.stringify(rest).slice(1)}`;
}

/** How `q` was read. */
const toUnderstood = ({ query: { filters, words, without, dropped } }: Reading) => ({
  filters,
  words,
  without: without?.texts,
  dropped,
});

/** A page of the search, with less of the words of `q` when nothing has them all, and the cursor to go on with. */
export async function findListings(ctx: Context, input: SearchInput) {
  const { db } = ctx.ports;
  const account = requireAccount(ctx).id;
  const query = await readInput(ctx, input);
  const { sort, limit, facets = true, fields } = query;
  const walk = query.cursor === undefined ? null : readCursor(query.cursor, query, ctx.ports);
  const isByName = query.q !== undefined || query.make !== undefined || query.model !== undefined;
  const [names, moment] = await Promise.all([
    walk === null && isByName ? readNames(db, account) : [],
    readMoment(db),
  ]);
  const withoutImages = fields !== undefined && !fields.includes('images');
  const find = async (reading: Reading) => {
    const filters = await filtersFor(ctx, query, reading, moment.newest);
    const request = { filters, sort, limit, facets, withoutImages, after: walk?.after ?? null };
    return { ...(await findPage(db, account, request)), filters, reading };
  };
  let finding = await find(walk?.reading ?? readByNames(query, names));
  // A poll asks what changed: other trucks are no answer.
  if (walk === null && query.updated_since === undefined && isEmpty(finding))
    finding = (await findFirst(find, readWithLess(query, names, finding.reading))) ?? finding;
  const { next, ...rest } = finding;
  ctx.note({ found: rest.count.value, exact: rest.count.exact });
  const syncedUntil = walk?.syncedUntil ?? moment.syncedUntil;
  const next_cursor = next && toCursor(query, { after: next, reading: rest.reading, syncedUntil }, ctx.ports);
  return { ...rest, synced_until: syncedUntil, next_cursor };
}

/** Checks the parameters that need each other, and reads the distance in the words of `q`. */
async function readInput(ctx: Context, input: SearchInput) {
  const { limit, facets = true, sort = 'newest', near, q = '' } = input;
  const place = near === undefined ? await readPlace(ctx, q) : null;
  if (sort === 'distance' && near === undefined && place === null)
    throw conflicting('sort', '`distance` needs near');
  if (facets && limit > SEARCH_LIMITS.limit)
    throw invalid('limit', `must be at most ${SEARCH_LIMITS.limit}, or go with facets=false`, {
      reason: 'out_of_range',
      received: limit,
    });
  return { ...input, sort, place: place && { ...place, miles: input.radius ?? place.miles } };
}

async function findFirst<Finding extends SearchResult>(
  find: (reading: Reading) => Promise<Finding>,
  readings: Iterable<Reading>,
) {
  for (const reading of readings) {
    const finding = await find(reading);
    if (!isEmpty(finding)) return finding;
  }
  return null;
}

const isEmpty = ({ listings }: SearchResult) => listings === '[]';

/** A key of one dealer sees that dealer's, visitors of its site trucks only, each once. */
async function filtersFor(ctx: Context, query: Query, reading: Reading, newest: string) {
  const conditions = await searchFilters(query, reading, ctx.ports.geocoder, newest);
  const only = onlyDealer(ctx);
  const dealer =
    only === null ? conditions.dealer : (conditions.dealer ?? [only]).filter((slug) => slug === only);
  return { ...conditions, dealer, for_visitors: ctx.dealer !== null };
}

function checkFields({ fields }: SearchInput) {
  const unknown = fields?.find((name) => !SUMMARY_FIELDS.includes(name));
  if (unknown !== undefined)
    throw invalid('fields', `names ${quoteValue(unknown)}, which listings do not have`, {
      fix: `Send any of: ${SUMMARY_FIELDS.join(', ')}.`,
      received: unknown,
    });
}

function pickFields(json: string, fields: readonly string[] | undefined) {
  if (fields === undefined) return json;
  const listings: Record<string, unknown>[] = JSON.parse(json);
  return JSON.stringify(
    listings.map((listing) =>
      Object.fromEntries(Object.entries(listing).filter(([name]) => fields.includes(name))),
    ),
  );
}

/** The facets in the contract's order: years from the newest, prices from the lowest, all else by count. */
function toFacets(counts: SearchResult['facets'], { make }: SearchFilters) {
  const facets: Record<string, object[]> = {};
  for (const facet of FACET_NAMES) {
    if (facet === 'model' && !make) continue;
    const values = counts.filter(([name]) => name === facet).slice(0, SEARCH_LIMITS.facetValues);
    if (facet === 'year') values.sort(([, a], [, b]) => Number(b) - Number(a));
    if (facet === 'price') values.sort(([, a], [, b]) => Number(a) - Number(b));
    facets[facet] = values.map(([, value, count]) => ({ ...toValue(facet, value), count }));
  }
  return facets;
}

function toValue(facet: string, value: string) {
  if (facet === 'year') return { value: Number(value) };
  if (facet !== 'price') return { value };
  return { from: PRICE_BANDS[Number(value) - 1] ?? null, to: PRICE_BANDS[Number(value)] ?? null };
}
