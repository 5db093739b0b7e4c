import { describe, expect, test } from 'vitest';
import { DatabaseDown } from '../../../lib/db/connection/errors.ts';
import { acquireLease } from '../../../lib/db/jobs/leases.ts';
import { answering } from '../../support/postgres/answering.ts';
import { uniqueIp } from '../../support/samples/samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { queryRows } from '../../support/service/database.ts';
import { expectRefused } from '../../support/service/endpoint-calls.ts';
import { ADMIN_TOKEN, CRON_SECRET, startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();

const CRON = '/api/cron/housekeeping';
const cron = (token = CRON_SECRET, from = service) => from.call('GET', CRON, { token, ip: uniqueIp() });

const readDeep = (from = service) => from.call('GET', '/api/health?deep=1', { token: ADMIN_TOKEN });

describe('health', () => {
  const down = () => Promise.reject(new DatabaseDown(new Error('connect ECONNREFUSED 10.0.0.7')));

  test('is 200 for anyone, tells nothing else, and lets the database sleep', async () => {
    const asleep = await startService(({ db }) => ({ db: { ...db, query: down } }));
    for (const path of ['/api/health', '/api/health?deep=0']) {
      const answer = await asleep.call('GET', path);
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
    }
  });

  test('in depth needs the operator’s token, in whatever way it is asked for', async () => {
    for (const query of ['deep=1&deep=0', '%64eep=1']) {
      const answer = await service.call('GET', `/api/health?${query}`, {
        token: CRON_SECRET,
        ip: uniqueIp(),
      });
      expectRefused(answer, 401, 'UNAUTHORIZED');
    }
    for (const query of ['deep=2', 'deep=', 'deep=0&deep=1'])
      expectRefused(await service.call('GET', `/api/health?${query}`), 400, 'INVALID_PARAMS');
  });

  test('in depth tells of every part with its milliseconds', async () => {
    await cron();
    const { status, body } = await readDeep();
    const [healthy, anyHealth] = [true, expect.any(Boolean)].map((ok) =>
      expect.objectContaining({ ok, ms: expect.any(Number) }),
    );
    expect([status, body.parts]).toEqual([
      200,
      {
        database: healthy,
        disk: healthy,
        last_cron: healthy,
        mail: healthy,
        migrations: healthy,
        objects: healthy,
        redis: healthy,
        writes: healthy,
        // What waits, and with which keys, is up to the other suites on this database.
        feed_keys: anyHealth,
        oldest_queued_run: anyHealth,
        oldest_undelivered_lead: anyHealth,
      },
    ]);
    expect(body.parts.last_cron.note).toMatch(/^last finished \d{4}-/);
  });

  test('in depth with the database down is 503 with Retry-After, a finding rather than a failure', async () => {
    const deep = await readDeep(await startService(({ db }) => ({ db: { ...db, query: down } })));
    expect([deep.status, deep.body.status, deep.body.parts.database.ok]).toEqual([503, 'degraded', false]);
    expect(deep.headers.get('retry-after')).toMatch(/^[123]$/);
    expect(deep.text).not.toContain('10.0.0.7');
  });

  test('in depth tells that the disk is nearly full', async () => {
    const disk = { free: async () => ({ freeBytes: 1, minBytes: 2 }) };
    const { body } = await readDeep(await startService(() => ({ disk })));
    expect([body.status, body.parts.disk.ok]).toEqual(['degraded', false]);
  });

  test('in depth tells that the cron has not run for two hours, or never since the first account', async () => {
    const at = async (hours: number, hasRun: boolean) => {
      const now = () => service.ports.clock.now() + hours * 3_600_000;
      const later = await startService(({ db }) => ({
        clock: { now },
        db: answering(db, (text) => {
          if (text.includes('oldestAccountMs')) return [{ oldestAccountMs: hours * 3_600_000, sealed: [] }];
          return !hasRun && text.includes('from "leases"') ? [] : null;
        }),
      }));
      return (await readDeep(later)).body.parts.last_cron.ok;
    };
    await cron();
    expect([await at(1, true), await at(1, false)]).toEqual([true, true]);
    expect([await at(2.1, true), await at(2.1, false)]).toEqual([false, false]);
  });
});

describe('the hourly sweep', () => {
  test('never runs while the cron secret is unset', async () => {
    const unset = await startService(({ settings }) => ({ settings: { ...settings, cronSecret: null } }));
    for (const token of [CRON_SECRET, 'null', 'undefined'])
      expect((await cron(token, unset)).status).toBe(401);
  });

  test('forgets expired idempotency keys and says how many', async () => {
    await account.call('POST', '/v1/inventory', cleanTruck(), { 'idempotency-key': 'to-sweep' });
    await account.call('POST', '/v1/inventory', cleanTruck(), { 'idempotency-key': 'to-keep' });
    await cron();
    await queryRows(
      `update idempotency_keys set created_at = now() - interval '24 hours 1 second'
      where account_id = $1 and key like '% to-sweep'`,
      [account.id],
    );
    expect((await cron()).body).toMatchObject({ outcome: 'done', result: { idempotency_keys_swept: 1 } });
    expect((await cron()).body.result).toMatchObject({ idempotency_keys_swept: 0 });
  });

  test('is busy while another worker’s lease is alive, and runs once it has run out', async () => {
    expect(await acquireLease(service.ports.db)).not.toBeNull();
    expect((await cron()).body).toEqual({ job: 'housekeeping', outcome: 'busy', result: null });
    await queryRows('update leases set expires_at = now()', []);
    expect((await cron()).body.outcome).toBe('done');
  });

  test('takes every step whatever became of the others, keeps no lease when one threw, and health tells', async () => {
    let auditSweeps = 0;
    const failing = await startService(({ db }) => ({
      db: answering(db, (text) => {
        if (text.includes('delete from leads')) throw new Error('planted');
        if (text.includes('delete from audit a using')) auditSweeps += 1;
        return null;
      }),
    }));
    expect((await cron(CRON_SECRET, failing)).status).toBe(500);
    expect(auditSweeps).toBe(1);
    const lastCron = async () => (await readDeep()).body.parts.last_cron;
    expect(await lastCron()).toMatchObject({ ok: false, note: expect.stringMatching(/^last failed/) });
    expect((await cron()).body.outcome).toBe('done');
    expect(await lastCron()).toMatchObject({ ok: true });
  });
});
