import { endpoint } from '../http/endpoint.ts';
import { SearchAnswer, SearchQuery } from './schemas.ts';

export const searchInventory = endpoint({
  id: 'searchInventory',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/inventory',
  tag: 'Inventory',
  summary: 'Search the account’s trucks',
  description:
    'All filters have to match; values of one filter are alternatives, written as loosely as on posting. A change by POST or PATCH is seen by the next search. Walk on with `next_cursor`: listings that do not change meanwhile come exactly once.',
  guard: 'secret-key',
  bucket: 'requests',
  query: SearchQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: SearchAnswer },
  async handle({ ctx, query }) {
    // Read on first use: this route shares its function with the one that takes records.
    const { searchListings } = await import('./search-listings.ts');
    return { status: 200, body: await searchListings(ctx, query) };
  },
});
