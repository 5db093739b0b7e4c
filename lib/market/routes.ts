import { endpoint } from '../http/endpoint.ts';
import {
  ComparablesAnswer,
  ComparablesParams,
  PricesAnswer,
  PricesQuery,
  TrendsAnswer,
  TrendsQuery,
} from './schemas.ts';

const seller = { tag: 'Market data', guard: 'secret-key', bucket: 'requests', tier: 'pro' } as const;

export const getMarketPrices = endpoint({
  ...seller,
  id: 'getMarketPrices',
  method: 'GET',
  path: '/v1/market-data/prices',
  summary: 'Get asking-price statistics',
  description:
    'Returns asking prices and mileages of matching available trucks. `market`: other sellers’ trucks, each VIN once and rounded, given from 5 trucks of 3 sellers, none with more than 80 %. `own`: your trucks, exact.',
  query: PricesQuery,
  errors: ['INVALID_PARAMS', 'TIER_RESTRICTED'],
  answers: { 200: PricesAnswer },
  async handle({ ctx, query }) {
    const { marketPrices } = await import('./prices.ts');
    return { status: 200, body: await marketPrices(ctx, query) };
  },
});

export const getMarketComparables = endpoint({
  ...seller,
  id: 'getMarketComparables',
  method: 'GET',
  path: '/v1/market-data/comparables/{vin}',
  summary: 'Compare a truck’s price with the market',
  description:
    'Returns other sellers’ available trucks most similar to one of yours in make, class, condition, body and cab, with prices adjusted to its model year and mileage, and a verdict with its interval and reasons. Trucks are anonymous; mileages and prices are rounded.',
  params: ComparablesParams,
  errors: ['INVALID_PARAMS', 'TIER_RESTRICTED', 'NOT_FOUND'],
  answers: { 200: ComparablesAnswer },
  async handle({ ctx, params }) {
    const { marketComparables } = await import('./comparables.ts');
    return { status: 200, body: await marketComparables(ctx, params.vin) };
  },
});

export const getMarketTrends = endpoint({
  ...seller,
  id: 'getMarketTrends',
  method: 'GET',
  path: '/v1/market-data/trends',
  summary: 'Get weekly market trends',
  description:
    'Returns supply, median asking price, sales, trucks that vanished from feeds, and days on market, of other sellers’ trucks and of yours, computed from their history.',
  query: TrendsQuery,
  errors: ['INVALID_PARAMS', 'TIER_RESTRICTED'],
  answers: { 200: TrendsAnswer },
  async handle({ ctx, query }) {
    const { marketTrends } = await import('./trends.ts');
    return { status: 200, body: await marketTrends(ctx, query) };
  },
});
