import { cron } from './cron.ts';

export const cronDue = cron(
  'due',
  'Runs the jobs that are due, called by the platform every minute; each has a route of its own too',
  async (ctx) => (await import('../services/due-jobs.ts')).runDueJobs(ctx),
);
