import * as z from 'zod/mini';
import { endpoint } from '../http/endpoint.ts';
import { answerCsv, CSV } from '../http/safe-csv.ts';
import { about } from '../truck/json.ts';
import { SearchAnswer, SearchQuery } from './schemas.ts';

const Query = z.extend(SearchQuery, {
  format: z.optional(
    about(
      z.enum(['json', 'csv']),
      '`csv` returns all matching listings, at most 20,000, with the columns of a stock list, and ignores `fields`, `facets`, `limit` and `cursor`. Texts that could be formulas begin with an apostrophe.',
      'csv',
    ),
  ),
});

export const searchInventory = endpoint({
  id: 'searchInventory',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/inventory',
  tag: 'Inventory',
  summary: 'Search the account’s trucks',
  description:
    'A listing is returned when it matches every filter; several values of one filter are alternatives. Values may be spelled as loosely as in a POST. The next search sees every change by POST or PATCH. Page with `next_cursor`; a listing that does not change is returned exactly once.',
  guard: 'secret-key',
  bucket: 'requests',
  query: Query,
  errors: ['INVALID_PARAMS'],
  answers: { 200: SearchAnswer },
  media: [CSV],
  headers: {
    'Content-Disposition': ['With `csv`: the name of the file.', 'attachment; filename="inventory.csv"'],
  },
  async handle({ ctx, query: { format, ...query } }) {
    // Read on first use: this route shares its function with the one that takes records.
    if (format === 'csv') {
      const { exportInventory } = await import('../inventory/export-inventory.ts');
      return answerCsv('inventory.csv', await exportInventory(ctx, query));
    }
    const { searchListings } = await import('./search-listings.ts');
    return { status: 200, body: await searchListings(ctx, query) };
  },
});
