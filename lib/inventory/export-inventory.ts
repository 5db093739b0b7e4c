import type * as z from 'zod/mini';
import type { Context } from '../http/context.ts';
import { safeCsv } from '../http/safe-csv.ts';
import { SEARCH_LIMITS, type SearchQuery } from '../search/schemas.ts';
import { searchListings } from '../search/search-listings.ts';
import type { ListingAnswer } from './read-by-vin.ts';

/** Columns that dealers' systems have, by the names that an upload reads again. */
const FIELDS = [
  'vin',
  'stock_number',
  'status',
  'dealer',
  'year',
  'make',
  'model',
  'trim',
  'condition',
  'class',
  'gvwr',
  'body_type',
  'cab',
  'engine',
  'transmission',
  'drivetrain',
  'fuel_type',
  'mileage',
  'price',
  'currency',
  'color',
  'updated_at',
] as const;

/** Of one file. */
const MAX_TRUCKS = 20_000;

/** All trucks that a search finds as CSV, in pieces, with the byte order mark by which spreadsheets know UTF-8. */
export async function exportInventory(
  ctx: Context,
  query: z.output<typeof SearchQuery>,
): Promise<AsyncIterable<string>> {
  const csv = await safeCsv();
  const searchQuery = {
    ...query,
    // A truck that changes meanwhile keeps its place: in the order of changes it would be on no page.
    sort: query.sort ?? ('year' as const),
    facets: false,
    limit: SEARCH_LIMITS.exportLimit,
    fields: [...FIELDS, 'images', 'quality'],
  };
  async function* text() {
    yield `\uFEFF${csv([[...FIELDS, 'photos', 'quality']])}`;
    let cursor: string | undefined;
    for (let rowCount = 0; rowCount < MAX_TRUCKS; ) {
      const { listings, next_cursor } = JSON.parse(await searchListings(ctx, { ...searchQuery, cursor }));
      const rows = listings.map(toRow);
      if (rows.length > 0) yield csv(rows);
      if (next_cursor === null) return;
      rowCount += rows.length;
      cursor = next_cursor;
    }
  }
  return text();
}

const toRow = (truck: Pick<ListingAnswer, (typeof FIELDS)[number] | 'images' | 'quality'>) => [
  ...FIELDS.map((name) => truck[name]),
  truck.images.length,
  truck.quality.score,
];
