import { Cron } from 'croner';
import vercel from '../../vercel.json' with { type: 'json' };

/** Runs overlap, so that a slow dealer's server delays nothing else; more would fill one machine's memory. */
const MAX_RUNNING = 3;

/** Calls the paths of vercel.json by their schedules, in UTC. Returns what ends that; runs under way continue. */
export function startCrons(call: (path: string) => Promise<unknown>): () => void {
  const jobs = vercel.crons.map(({ path, schedule }) => {
    let runCount = 0;
    return new Cron(schedule, { timezone: 'UTC', unref: true, catch: true }, async () => {
      if (runCount === MAX_RUNNING) return;
      runCount += 1;
      await call(path).finally(() => {
        runCount -= 1;
      });
    });
  });
  return () => {
    for (const job of jobs) job.stop();
  };
}
