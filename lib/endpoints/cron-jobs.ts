import { CronAnswer } from '../contract/platform.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Context } from '../services/context.ts';
import { JOBS, type JobName, runJob } from '../services/jobs/jobs.ts';

/** Called by the platform at `/api/cron/<name>`, when vercel.json says. */
function cron(name: string, summary: string, run: (ctx: Context) => Promise<object>): Endpoint {
  return endpoint({
    id: `cron${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    method: 'GET',
    path: `/api/cron/${name}`,
    tag: 'Platform',
    summary,
    guard: 'cron',
    errors: [],
    answers: { 200: CronAnswer },
    handle: async ({ ctx }) => ({ status: 200, body: await run(ctx) }),
  });
}

const cronJob = (job: JobName) => cron(job, JOBS[job].summary, (ctx) => runJob(ctx, job));

export const cronDue = cron(
  'due',
  'Runs the jobs that are due, called by the platform every minute; each has a route of its own too',
  async (ctx) => (await import('../services/jobs/due-jobs.ts')).runDueJobs(ctx),
);
export const cronDealers = cronJob('dealers');
export const cronImages = cronJob('images');
export const cronLeads = cronJob('leads');
export const cronFeeds = cronJob('feeds');
export const cronAlerts = cronJob('alerts');
export const cronHousekeeping = cronJob('housekeeping');
