import { CronAnswer, HealthAnswer, HealthQuery } from '../contract/platform.ts';
import { endpoint } from '../http/endpoint.ts';

export const getHealth = endpoint({
  id: 'getHealth',
  method: 'GET',
  path: '/api/health',
  tag: 'Platform',
  summary: 'Is the service ready?',
  description:
    '200 when it is. `?deep=1` with the operator’s token tells of every part, each with its milliseconds.',
  guard: (query) => (query.deep === '1' ? 'operator' : 'anyone'),
  query: HealthQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: HealthAnswer },
  async handle({ ctx, query }) {
    if (query.deep === '1') {
      const { checkHealth } = await import('../services/check-health.ts');
      return { status: 200, body: await checkHealth(ctx) };
    }
    await ctx.ports.store.ping();
    return { status: 200, body: { status: 'ok' } };
  },
});

export const cronImages = endpoint({
  id: 'cronImages',
  method: 'GET',
  path: '/api/cron/images',
  tag: 'Platform',
  summary: 'Fetches images that are due, called by the platform every minute',
  guard: 'cron',
  errors: [],
  answers: { 200: CronAnswer },
  handle: async ({ ctx }) => {
    const { fetchDueImages } = await import('../services/fetch-due-images.ts');
    const { outcome, result } = await fetchDueImages(ctx.ports);
    if (result !== null) ctx.note(result);
    return { status: 200, body: { job: 'images', outcome, result } };
  },
});

export const cronHousekeeping = endpoint({
  id: 'cronHousekeeping',
  method: 'GET',
  path: '/api/cron/housekeeping',
  tag: 'Platform',
  summary: 'Hourly sweep, called by the platform',
  guard: 'cron',
  errors: [],
  answers: { 200: CronAnswer },
  async handle({ ctx }) {
    const { runHousekeeping } = await import('../services/housekeeping.ts');
    return { status: 200, body: await runHousekeeping(ctx) };
  },
});

export const cronFacets = endpoint({
  id: 'cronFacets',
  method: 'GET',
  path: '/api/cron/facets',
  tag: 'Platform',
  summary: 'Folds the counts behind the search’s facets, called by the platform',
  guard: 'cron',
  errors: [],
  answers: { 200: CronAnswer },
  async handle({ ctx }) {
    const { foldFacets } = await import('../services/fold-facets.ts');
    return { status: 200, body: await foldFacets(ctx) };
  },
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
  async handle({ ctx }) {
    const { countMarket } = await import('../services/count-market.ts');
    return { status: 200, body: await countMarket(ctx, { trends: true }) };
  },
});
