import { PricesAnswer, PricesQuery } from '../contract/market.ts';
import { CronAnswer } from '../contract/platform.ts';
import { endpoint } from '../http/endpoint.ts';
import { countMarket } from '../services/count-market.ts';
import { marketPrices } from '../services/market-prices.ts';

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
  handle: async ({ ctx, query }) => ({ status: 200, body: await marketPrices(ctx, query) }),
});

export const cronMarket = endpoint({
  id: 'cronMarket',
  method: 'GET',
  path: '/api/cron/market',
  tag: 'Platform',
  summary: 'Counts what changed in the market, called by the platform',
  guard: 'cron',
  errors: [],
  answers: { 200: CronAnswer },
  handle: async ({ ctx }) => ({ status: 200, body: await countMarket(ctx) }),
});
