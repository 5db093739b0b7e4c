import type { DueJob } from '../ports/store.ts';
import { flagActive, isQuiet, markQuiet } from './activity.ts';
import type { Context } from './context.ts';

/** Upper limit of the delay when the active flag is lost. */
const MAX_QUIET_SECONDS = 3_600;

const JOB = 'due';
const JOBS: Readonly<Record<DueJob, (ctx: Context) => Promise<{ result: object | null }>>> = {
  facets: async (ctx) => (await import('./search/fold-facets.ts')).foldFacets(ctx),
  dealers: async ({ ports }) =>
    (await import('./accounts/follow-moved-dealers.ts')).followMovedDealers(ports),
  images: async ({ ports }) => (await import('./images/fetch-due-images.ts')).fetchDueImages(ports),
  leads: async ({ ports }) => (await import('./leads/delivery/deliver-leads.ts')).deliverLeads(ports),
  feeds: async (ctx) => (await import('./feeds/feed-runs.ts')).runDueFeeds(ctx),
};
const NAMES = Object.keys(JOBS) as DueJob[];

/**
 * The job of every minute: runs the jobs that are due, side by side. One statement asks which; while the quiet
 * flag is set, nothing is asked. Throws what the first failing one threw, once all have ended.
 */
export async function runDueJobs(ctx: Context) {
  const { store } = ctx.ports;
  if (await isQuiet(ctx.ports)) return { job: JOB, outcome: 'done', result: { due: [] } };
  const dueInSeconds = await store.dueJobs();
  const due = NAMES.filter((name) => (dueInSeconds[name] ?? Number.POSITIVE_INFINITY) <= 0);
  if (due.length === 0) {
    const next = Math.min(MAX_QUIET_SECONDS, ...NAMES.map((name) => dueInSeconds[name] ?? MAX_QUIET_SECONDS));
    if (next >= 1) await markQuiet(ctx.ports, Math.floor(next));
    return { job: JOB, outcome: 'done', result: { due } };
  }
  await flagActive(ctx.ports);
  const ran = await Promise.allSettled(due.map((name) => JOBS[name](ctx)));
  for (const one of ran) if (one.status === 'rejected') throw one.reason;
  const results = ran.map((one, at) => [due[at], one.status === 'fulfilled' ? one.value.result : null]);
  ctx.note({ due });
  return { job: JOB, outcome: 'done', result: { due, ...Object.fromEntries(results) } };
}
