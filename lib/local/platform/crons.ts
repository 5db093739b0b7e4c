import { Cron } from 'croner';
import type { Platform } from './platform.ts';

const MAX_UNDER_WAY = 3;

export interface RunningCrons {
  /** Starts no further run; a run under way goes on. */
  stop(): void;
}

/**
 * Calls the crons of vercel.json the way the platform does: GET with `Authorization: Bearer <CRON_SECRET>`, by UTC.
 * Runs of a cron overlap as they do there, so that a slow dealer's server keeps nothing else waiting; but a process has
 * less memory than a platform, so that a cron with three runs under way is passed over. Throws on a schedule that cannot
 * be read.
 */
export function startCrons(
  platform: Pick<Platform, 'fetch' | 'crons' | 'log'>,
  options: { origin: string; secret: string },
): RunningCrons {
  const jobs = platform.crons.map(({ path, schedule }) => {
    let underWay = 0;
    return new Cron(
      schedule,
      { timezone: 'UTC', mode: '5-or-6-parts', unref: true, catch: true },
      async () => {
        if (underWay >= MAX_UNDER_WAY)
          return platform.log({ level: 'info', event: 'cron passed over', path });
        underWay += 1;
        await runCron(platform, path, options).finally(() => {
          underWay -= 1;
        });
      },
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
