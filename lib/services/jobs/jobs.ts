import type { Ports } from '../../ports/ports.ts';
import type { DueJob } from '../../ports/store.ts';
import type { Context } from '../context.ts';
import { keepAwake } from './database-sleep.ts';
import type { JobRun } from './job-run.ts';

interface Job {
  summary: string;
  run(ports: Ports): Promise<JobRun>;
}

export type JobName = DueJob | 'housekeeping';

/** Every job, each loaded when it runs. Those with a queue are run when something is due in it, housekeeping hourly. */
export const JOBS: Readonly<Record<JobName, Job>> = {
  dealers: {
    summary: 'Has trucks follow dealers that moved',
    run: async (ports) => (await import('../accounts/follow-moved-dealers.ts')).followMovedDealers(ports),
  },
  images: {
    summary: 'Fetches images that are due',
    run: async (ports) => (await import('../images/fetch-due-images.ts')).fetchDueImages(ports),
  },
  leads: {
    summary: 'Sends leads that are due to their dealers',
    run: async (ports) => (await import('../leads/delivery/deliver-leads.ts')).deliverLeads(ports),
  },
  feeds: {
    summary: 'Pulls feeds that are due and goes on with runs that were cut off',
    run: async (ports) => (await import('../feeds/feed-runs.ts')).runDueFeeds(ports),
  },
  alerts: {
    summary: 'Mails owners what needs them',
    run: async (ports) => (await import('../alerts/send-alerts.ts')).sendAlerts(ports),
  },
  housekeeping: {
    summary: 'Hourly sweep, called by the platform',
    run: async (ports) => (await import('./housekeeping.ts')).runHousekeeping(ports),
  },
};

/** Runs a job, whoever asks for it. What it did, or broke off, may have queued work for others. */
export async function runJob(ctx: Pick<Context, 'ports' | 'note'>, job: JobName) {
  let mayHaveQueued = true;
  try {
    const { outcome, result } = await JOBS[job].run(ctx.ports);
    mayHaveQueued = hasChanged(result);
    ctx.note({ [job]: result ?? outcome });
    return { job, outcome, result };
  } finally {
    if (mayHaveQueued) await keepAwake(ctx.ports);
  }
}

/** Counts of feeds that were as they had been: they queue nothing. */
const IDLE = new Set(['queued', 'runs', 'unchanged']);

/** A job that found nothing to do counts nothing. */
const hasChanged = (result: object | null): boolean =>
  result !== null && Object.entries(result).some(([name, count]) => count !== 0 && !IDLE.has(name));
