import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startCrons } from '../../lib/local/crons.ts';

const EVERY_SECOND = [{ path: '/api/cron/due', schedule: '* * * * * *' }];

it('each is called at its time; runs overlap, the fourth is passed over, and one that is stopped starts no more', async () => {
  const called: string[] = [];
  const release = Promise.withResolvers<void>();
  const stop = startCrons((path) => {
    called.push(path);
    return release.promise;
  }, EVERY_SECOND);
  await expect.poll(() => called.length, { timeout: 20_000 }).toBe(3);
  await sleep(1_500);
  expect(called).toEqual(['/api/cron/due', '/api/cron/due', '/api/cron/due']);
  stop();
  release.resolve();
  await sleep(1_500);
  expect(called).toHaveLength(3);
});
