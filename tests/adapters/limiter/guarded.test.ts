import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type BreakerChange,
  type GuardOptions,
  guardedLimiter,
} from '../../../lib/adapters/limiter/guarded.ts';
import { memoryLimiter } from '../../../lib/adapters/limiter/memory.ts';
import { upstashLimiter } from '../../../lib/adapters/limiter/upstash.ts';
import type { Limiter, Quota, Verdict } from '../../../lib/ports/limits.ts';
import { redisAvailable, startRedis, type TestRedis } from '../../support/redis/redis.ts';

const MINUTE: Quota = { name: 'requests', limit: 3, windowSeconds: 60 };
/** Tells the remote's answers from the local ones, which never have so much left. */
const REMOTE: Verdict = { allowed: true, remaining: 999, resetSeconds: 60, retryAfterSeconds: 0 };

type Behaviour<T> = () => Promise<T>;
const hangs = () => new Promise<never>(() => {});
const fails = () => Promise.reject(new Error('fetch failed (ECONNREFUSED)'));
const answers = async () => REMOTE;

/** A guard around a remote limiter that does as it is told, by a clock that stands still. */
function rig(options: Partial<GuardOptions> = {}) {
  let now = 1_700_000_000_000;
  const clock = { now: () => now };
  const changes: BreakerChange[] = [];
  const remote = {
    local: false,
    takes: 0,
    pings: 0,
    onTake: answers as Behaviour<Verdict>,
    onPing: (async () => 1) as Behaviour<number>,
    take(quota: Quota): Promise<Verdict> {
      if (quota.name !== 'probe') this.takes += 1;
      return this.onTake();
    },
    look(): Promise<Verdict> {
      return this.onTake();
    },
    ping(): Promise<number> {
      this.pings += 1;
      return this.onPing();
    },
  };
  const onChange = (change: BreakerChange) => changes.push(change);
  const times = { timeoutMs: 20, firstTimeoutMs: 20 };
  const guard = guardedLimiter(remote, memoryLimiter(clock), { clock, onChange, ...times, ...options });
  const advance = (ms: number) => {
    now += ms;
  };
  const inTurn = async (calls: number): Promise<Verdict[]> => {
    const verdicts: Verdict[] = [];
    for (let call = 0; call < calls; call++) verdicts.push(await guard.take(MINUTE, 'key_1'));
    return verdicts;
  };
  return { remote, guard, changes, advance, inTurn };
}

describe('guarded limiter', () => {
  it('passes the remote verdict on while the remote answers', async () => {
    const { guard, inTurn, changes } = rig();
    expect(await inTurn(10)).toEqual(Array(10).fill(REMOTE));
    expect(guard.local).toBe(false);
    expect(changes).toEqual([]);
  });

  it.each([
    ['hangs', hangs, 'no answer within 20 ms'],
    ['refuses', fails, 'fetch failed (ECONNREFUSED)'],
    [
      'throws at once',
      () => {
        throw new Error('broken');
      },
      'broken',
    ],
  ])(
    'asks a remote that %s once; from then on callers in turn do not wait for it',
    async (_name, behaviour, reason) => {
      const { remote, guard, inTurn, changes } = rig();
      remote.onTake = behaviour;
      const verdicts = await inTurn(50);
      expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, ...Array(47).fill(false)]);
      expect(remote.takes).toBe(1);
      expect(remote.pings).toBe(0);
      expect(guard.local).toBe(true);
      expect(changes).toEqual([{ state: 'open', reason }]);
    },
  );

  it('waits longer for the first call, which connects, and for no other', async () => {
    const { remote, guard, changes } = rig({ firstTimeoutMs: 2_000 });
    remote.onTake = () => new Promise((resolve) => setTimeout(resolve, 200, REMOTE));
    expect(await guard.take(MINUTE, 'key_1')).toEqual(REMOTE);
    expect(changes).toEqual([]);
    expect(await guard.take(MINUTE, 'key_1')).not.toEqual(REMOTE);
    expect(changes).toEqual([{ state: 'open', reason: 'no answer within 20 ms' }]);
  });

  it('lets those already asking pay once each, opens once, and answers them all', async () => {
    const { remote, inTurn, guard, changes } = rig();
    remote.onTake = hangs;
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => guard.take(MINUTE, 'key_1')));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(MINUTE.limit);
    expect(remote.takes).toBe(20);
    await inTurn(5);
    expect(remote.takes).toBe(20);
    expect(changes).toHaveLength(1);
  });

  it('goes on counting locally where the remote left off in this instance', async () => {
    const { remote, inTurn } = rig();
    await inTurn(2);
    remote.onTake = fails;
    expect((await inTurn(2)).map(({ allowed }) => allowed)).toEqual([true, false]);
  });

  it('probes in the background, one at a time, and delays nobody by it', async () => {
    const { remote, guard, inTurn, advance, changes } = rig();
    remote.onTake = fails;
    await inTurn(1);
    let pong = (_ms: number) => {};
    remote.onPing = () =>
      new Promise((resolve) => {
        pong = resolve;
      });
    advance(999);
    await inTurn(5);
    expect(remote.pings).toBe(0);
    advance(1);
    await inTurn(20);
    expect(remote.pings).toBe(1);
    expect(guard.local).toBe(true);
    remote.onTake = answers;
    pong(1);
    await vi.waitFor(() => expect(guard.local).toBe(false));
    expect(await inTurn(1)).toEqual([REMOTE]);
    expect(changes.map(({ state }) => state)).toEqual(['open', 'closed']);
    expect(changes[1]).toEqual({ state: 'closed', openForMs: 1000 });
  });

  it('stays open while the remote only pings, and waits longer after each failed probe, up to 5 s', async () => {
    const { remote, guard, inTurn, advance } = rig();
    remote.onTake = fails;
    await inTurn(1);
    let probes = 0;
    for (const wait of [1000, 2000, 4000, 5000, 5000]) {
      advance(wait - 1);
      await inTurn(1);
      await settle();
      expect(remote.pings).toBe(probes);
      advance(1);
      await inTurn(1);
      await settle();
      expect(remote.pings).toBe(++probes);
      expect(guard.local).toBe(true);
    }
  });

  it('probes also after its clock was set back', async () => {
    const { remote, guard, inTurn, advance } = rig();
    remote.onTake = fails;
    await inTurn(1);
    remote.onTake = answers;
    advance(-3_600_000);
    await inTurn(1);
    await vi.waitFor(() => expect(guard.local).toBe(false));
  });

  it('takes an answer that arrived while the event loop stood still', async () => {
    const { remote, guard, changes } = rig();
    remote.onTake = async () => {
      await stat('.');
      return REMOTE;
    };
    const asked = guard.take(MINUTE, 'key_1');
    const until = performance.now() + 200;
    while (performance.now() < until);
    expect(await asked).toEqual(REMOTE);
    expect(changes).toEqual([]);
    expect(guard.local).toBe(false);
  });

  it('answers also when the log of its changes is broken', async () => {
    const onChange = () => {
      throw new Error('disk full');
    };
    const { remote, inTurn } = rig({ onChange });
    remote.onTake = fails;
    expect(await inTurn(1)).toMatchObject([{ allowed: true, remaining: 2 }]);
  });

  it('pings the remote, and says so when it is gone', async () => {
    const { remote, guard } = rig();
    expect(await guard.ping()).toBe(1);
    remote.onPing = fails;
    await expect(guard.ping()).rejects.toThrow('ECONNREFUSED');
  });
});

/** Lets what is already settled run on. */
const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe.skipIf(!redisAvailable())('guarded limiter before a real Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it.each([
    ['hung', async () => redis.pause(), async () => redis.resume()],
    ['refused', async () => redis.kill(), async () => redis.restart()],
  ])('answers on when Redis is %s, pays for it once, and returns to it', async (name, fail, recover) => {
    const clock = { time: Date.now(), now: () => clock.time };
    const remote = upstashLimiter({ url: redis.url, token: redis.token });
    const counted: Limiter & { takes: number } = {
      local: false,
      takes: 0,
      ping: () => remote.ping(),
      look: (quota, subject) => remote.look(quota, subject),
      take: (quota, subject) => {
        counted.takes += quota.name === 'probe' ? 0 : 1;
        return remote.take(quota, subject);
      },
    };
    const guard = guardedLimiter(counted, memoryLimiter(clock), { clock });
    const subject = `${name}-key`;
    await vi.waitFor(async () => {
      await guard.take({ ...MINUTE, name: 'warm' }, subject);
      clock.time += 5000;
      expect(guard.local).toBe(false);
    }, 10_000);

    counted.takes = 0;
    await fail();
    const waited: number[] = [];
    for (let call = 0; call < 20; call++) {
      const asked = performance.now();
      expect(await guard.take(MINUTE, subject)).toMatchObject({ allowed: call < MINUTE.limit });
      waited.push(performance.now() - asked);
    }
    expect(counted.takes).toBe(1);
    expect(guard.local).toBe(true);
    const [first = 0, ...rest] = waited;
    console.info(
      `Redis ${name}: first call ${first.toFixed(1)} ms, then at most ${Math.max(...rest).toFixed(1)} ms`,
    );

    await recover();
    await vi.waitFor(async () => {
      clock.time += 5000;
      await guard.take({ ...MINUTE, name: 'after' }, subject);
      expect(guard.local).toBe(false);
      expect(await redis.command('EXISTS', `ctis:fair-use:after:60:${subject}`)).toBe(1);
    }, 10_000);
  });
});
