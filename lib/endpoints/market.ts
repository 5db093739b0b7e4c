import {
  ComparablesAnswer,
  ComparablesParams,
  PricesAnswer,
  PricesQuery,
  TrendsAnswer,
  TrendsQuery,
} from '../contract/market.ts';
import { endpoint } from '../http/endpoint.ts';

export const getMarketPrices = endpoint({
  id: 'getMarketPrices',
  method: 'GET',
  path: '/v1/market-data/prices',
  tag: 'Market data',
  summary: 'What trucks are offered for',
  description:
    'Asking prices and mileages of the available trucks of all accounts that match. Sample sizes are always told; figures only for samples of at least 5 listings and 2 sellers, or when all are your own.',
  guard: 'secret-key',
  tier: 'pro',
  bucket: 'requests',
  query: PricesQuery,
  errors: ['INVALID_PARAMS', 'TIER_RESTRICTED'],
  answers: { 200: PricesAnswer },
  async handle({ ctx, query }) {
    const { marketPrices } = await import('../services/market/market-prices.ts');
    return { status: 200, body: await marketPrices(ctx, query) };
  },
});

export const getMarketComparables = endpoint({
  id: 'getMarketComparables',
  method: 'GET',
  path: '/v1/market-data/comparables/{vin}',
  tag: 'Market data',
  summary: 'How one truck’s price stands in the market',
  description:
    'The available trucks of all accounts most similar to one of yours, their prices adjusted to its model year and mileage, and a verdict with its reasons. Anonymous: mileages and prices are rounded.',
  guard: 'secret-key',
  tier: 'pro',
  bucket: 'requests',
  params: ComparablesParams,
  errors: ['INVALID_PARAMS', 'TIER_RESTRICTED', 'NOT_FOUND'],
  answers: { 200: ComparablesAnswer },
  async handle({ ctx, params }) {
    const { marketComparables } = await import('../services/market/market-comparables.ts');
    return { status: 200, body: await marketComparables(ctx, params.vin) };
  },
});

export const getMarketTrends = endpoint({
  id: 'getMarketTrends',
  method: 'GET',
  path: '/v1/market-data/trends',
  tag: 'Market data',
  summary: 'How the market of a kind of truck moves, week by week',
  description:
    'Median asking price, supply, sales and days on market of all accounts’ trucks, replayed from their history.',
  guard: 'secret-key',
  tier: 'pro',
  bucket: 'requests',
  query: TrendsQuery,
  errors: ['INVALID_PARAMS', 'TIER_RESTRICTED'],
  answers: { 200: TrendsAnswer },
  async handle({ ctx, query }) {
    const { marketTrends } = await import('../services/market/market-trends.ts');
    return { status: 200, body: await marketTrends(ctx, query) };
  },
});
