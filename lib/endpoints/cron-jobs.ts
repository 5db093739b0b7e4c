import { cron } from './cron.ts';

export const cronDue = cron(
  'due',
  'Runs the jobs that are due, called by the platform every minute; each has a route of its own too',
  async (ctx) => (await import('../services/due-jobs.ts')).runDueJobs(ctx),
);

export const cronImages = cron('images', 'Fetches images that are due', async (ctx) => {
  const { fetchDueImages } = await import('../services/images/fetch-due-images.ts');
  const { outcome, result } = await fetchDueImages(ctx.ports);
  if (result !== null) ctx.note(result);
  return { job: 'images', outcome, result };
});

export const cronHousekeeping = cron('housekeeping', 'Hourly sweep, called by the platform', async (ctx) =>
  (await import('../services/housekeeping.ts')).runHousekeeping(ctx),
);

export const cronFacets = cron('facets', 'Folds the counts behind the search’s facets', async (ctx) =>
  (await import('../services/search/fold-facets.ts')).foldFacets(ctx),
);

export const cronDealers = cron('dealers', 'Has trucks follow dealers that moved', async (ctx) => {
  const { followMovedDealers } = await import('../services/accounts/follow-moved-dealers.ts');
  return followMovedDealers(ctx.ports);
});
