import * as z from 'zod/mini';
import { asAccount } from '../db/connection/current-account.ts';
import type { Context } from '../http/context.ts';
import { endpoint } from '../http/endpoint.ts';

const CronAnswer = z.object({
  job: z.string(),
  outcome: z.enum(['done', 'busy']),
  result: z.nullable(z.record(z.string(), z.unknown())),
});

/** Called by the platform at `/api/cron/<name>`, when vercel.json says. */
function cron(name: 'due' | 'housekeeping', summary: string, run: (ctx: Context) => Promise<object | null>) {
  return endpoint({
    id: name === 'due' ? 'cronDue' : 'cronHousekeeping',
    method: 'GET',
    path: `/api/cron/${name}`,
    tag: 'Platform',
    summary,
    guard: 'cron',
    errors: [],
    answers: { 200: CronAnswer },
    // All jobs count as one account, so that they leave a connection to requests whose account is yet to be looked up.
    async handle({ ctx }) {
      const result = await asAccount('cron', () => run(ctx));
      return { status: 200, body: { job: name, outcome: result ? 'done' : 'busy', result } };
    },
  });
}

export const cronDue = cron('due', 'Run due jobs; the platform calls this every minute', async (ctx) =>
  (await import('./due-jobs.ts')).runDueJobs(ctx),
);

export const cronHousekeeping = cron('housekeeping', 'Hourly sweep; the platform calls it', async (ctx) =>
  (await import('./housekeeping.ts')).runHousekeeping(ctx),
);
