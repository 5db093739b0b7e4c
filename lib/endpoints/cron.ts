import { CronAnswer } from '../contract/platform.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Context } from '../services/context.ts';

/** The job that the platform calls at `/api/cron/<name>`, when vercel.json says; answers what `run` answers. */
export function cron(name: string, summary: string, run: (ctx: Context) => Promise<object>): Endpoint {
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
