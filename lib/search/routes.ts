import * as z from 'zod/mini';
import { endpoint } from '../http/endpoint.ts';
import { answerCsv, CSV } from '../http/safe-csv.ts';
import { about } from '../truck/json.ts';
import { SearchAnswer, SearchQuery } from './schemas.ts';

const Query = z.extend(SearchQuery, {
  format: z.optional(
    about(
      z.enum(['json', 'csv']),
      '`csv`: all that match, 20,000 at most, with the columns of a stock list; `fields`, `facets`, `limit` and `cursor` do not matter to it. Texts that could be formulas begin with an apostrophe.',
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
    'All filters have to match; values of one filter are alternatives, written as loosely as on posting. A change by POST or PATCH is seen by the next search. Page with `next_cursor`; a listing that does not change is returned exactly once.',
  guard: 'secret-key',
  bucket: 'requests',
  query: Query,
  errors: ['INVALID_PARAMS'],
  answers: { 200: SearchAnswer },
  media: [CSV],
  headers: {
    'Content-Disposition': ['Of `csv`: the name of the file.', 'attachment; filename="inventory.csv"'],
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
