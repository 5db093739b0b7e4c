import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startCrons } from '../../lib/local/platform/crons.ts';
import { createPlatform } from '../../lib/local/platform/platform.ts';

const options = { origin: 'http://localhost:3000', secret: 's3cret' };

describe('crons', () => {
  it('each is called as the platform does: GET with the bearer, through the routes, and logged', async () => {
    const root = join(import.meta.dirname, 'fixture');
    const logged: Record<string, unknown>[] = [];
    const platform = await createPlatform({ root });
    expect(platform.crons).toEqual([{ path: '/api/cron/tick', schedule: '* * * * *' }]);
    const answers: unknown[] = [];
    const done = Promise.withResolvers<void>();
    const crons = startCrons(
      {
        crons: [{ path: '/api/cron/tick', schedule: '* * * * * *' }],
        log: (entry) => {
          logged.push(entry);
          done.resolve();
        },
        async fetch(request, info) {
          const response = await platform.fetch(request, info);
          answers.push(await response.clone().json());
          return response;
        },
      },
      options,
    );
    await done.promise;
    crons.stop();
    expect(answers[0]).toMatchObject({
      name: 'cron/tick',
      method: 'GET',
      url: 'http://localhost:3000/api/cron/tick',
      headers: { authorization: 'Bearer s3cret', 'user-agent': 'vercel-cron/1.0', 'x-real-ip': '127.0.0.1' },
    });
    expect(logged[0]).toMatchObject({ event: 'cron', path: '/api/cron/tick', status: 200 });
    expect(JSON.stringify(logged)).not.toContain('s3cret');
  });

  it('runs of a cron overlap, the fourth is passed over, and one that is stopped starts no more', async () => {
    let started = 0;
    let running = 0;
    let most = 0;
    const passed = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const crons = startCrons(
      {
        crons: [{ path: '/api/cron/tick', schedule: '* * * * * *' }],
        log: ({ event }) => event === 'cron passed over' && passed.resolve(),
        async fetch() {
          started++;
          most = Math.max(most, ++running);
          await release.promise;
          running--;
          return new Response();
        },
      },
      options,
    );
    await passed.promise;
    crons.stop();
    release.resolve();
    await sleep(1_500);
    expect({ started, most }).toEqual({ started: 3, most: 3 });
  });

  it('an unreadable schedule is refused at the start', () => {
    const platform = {
      crons: [{ path: '/x', schedule: 'hourly' }],
      log: () => {},
      fetch: async () => new Response(),
    };
    expect(() => startCrons(platform, options)).toThrow();
  });
});
