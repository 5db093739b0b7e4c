import { Cron } from 'croner';
import type { Platform } from './platform.ts';

export interface RunningCrons {
  /** Starts no further run; a run under way goes on. */
  stop(): void;
}

/**
 * Calls the crons of vercel.json the way the platform does: GET with `Authorization: Bearer <CRON_SECRET>`, by UTC.
 * A cron whose last run has not ended is passed over. Throws on a schedule that cannot be read.
 */
export function startCrons(
  platform: Pick<Platform, 'fetch' | 'crons' | 'log'>,
  options: { origin: string; secret: string },
): RunningCrons {
  const jobs = platform.crons.map(({ path, schedule }) => {
    const passedOver = () => platform.log({ level: 'info', event: 'cron passed over', path });
    return new Cron(
      schedule,
      { timezone: 'UTC', mode: '5-or-6-parts', protect: passedOver, unref: true, catch: true },
      () => runCron(platform, path, options),
    );
  });
  return {
    stop() {
      for (const job of jobs) job.stop();
    },
  };
}

async function runCron(
  platform: Pick<Platform, 'fetch' | 'log'>,
  path: string,
  { origin, secret }: { origin: string; secret: string },
): Promise<void> {
  const started = performance.now();
  const request = new Request(new URL(path, origin), {
    headers: { authorization: `Bearer ${secret}`, 'user-agent': 'vercel-cron/1.0' },
  });
  const response = await platform.fetch(request, { ip: '127.0.0.1' });
  await response.arrayBuffer();
  platform.log({
    level: response.ok ? 'info' : 'error',
    event: 'cron',
    path,
    status: response.status,
    request_id: response.headers.get('x-request-id'),
    ms: Math.round(performance.now() - started),
  });
}
