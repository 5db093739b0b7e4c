import { describe, expect, test } from 'vitest';
import { DatabaseDown } from '../../../lib/db/connection/errors.ts';
import { acquireLease } from '../../../lib/db/jobs/leases.ts';
import type { Sql } from '../../../lib/db/sql.ts';
import { answering } from '../../support/postgres/answering.ts';
import { uniqueIp } from '../../support/samples/samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { queryRows } from '../../support/service/database.ts';
import { ADMIN_TOKEN, CRON_SECRET, startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();

const CRON = '/api/cron/housekeeping';
const cron = (token: string | null = CRON_SECRET, from = service) =>
  from.call('GET', CRON, { token, ip: uniqueIp() });

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
    for (const path of ['/api/health?deep=1', '/api/health?deep=1&deep=0', '/api/health?%64eep=1'])
      for (const token of [null, account.key, CRON_SECRET])
        expect((await service.call('GET', path, { token, ip: uniqueIp() })).status).toBe(401);
    for (const query of ['deep=2', 'deep=', 'deep=true', 'deep=0&deep=1']) {
      const { body } = await service.call('GET', `/api/health?${query}`, { ip: uniqueIp() });
      expect(body.error.code).toBe('INVALID_PARAMS');
    }
  });

  test('in depth tells of every part with its milliseconds', async () => {
    await cron();
    const { status, body } = await service.call('GET', '/api/health?deep=1', { token: ADMIN_TOKEN });
    expect(status).toBe(200);
    expect(Object.keys(body.parts).sort()).toEqual([
      'database',
      'disk',
      'feed_keys',
      'last_cron',
      'mail',
      'migrations',
      'objects',
      'oldest_queued_run',
      'oldest_undelivered_lead',
      'redis',
      'writes',
    ]);
    // What waits, and with which keys, is up to the other suites on this database.
    const { feed_keys, oldest_undelivered_lead, oldest_queued_run, ...parts } = body.parts;
    for (const part of [feed_keys, oldest_undelivered_lead, oldest_queued_run])
      expect(part).toMatchObject({ ok: expect.any(Boolean), ms: expect.any(Number) });
    for (const part of Object.values(parts)) expect(part).toMatchObject({ ok: true, ms: expect.any(Number) });
    expect(body.parts.last_cron.note).toMatch(/^last finished \d{4}-/);
  });

  test('in depth with the database down is 503 with Retry-After, a finding rather than a failure', async () => {
    const broken = await startService(({ db }) => ({ db: { ...db, query: down } }));
    const deep = await broken.call('GET', '/api/health?deep=1', { token: ADMIN_TOKEN });
    expect([deep.status, deep.body.status, deep.body.parts.database.ok]).toEqual([503, 'degraded', false]);
    expect(deep.headers.get('retry-after')).toMatch(/^[123]$/);
    expect(deep.text).not.toContain('10.0.0.7');
  });

  test('in depth tells that the disk is nearly full', async () => {
    const full = await startService(() => ({ disk: { free: async () => ({ freeBytes: 1, minBytes: 2 }) } }));
    const { body } = await full.call('GET', '/api/health?deep=1', { token: ADMIN_TOKEN });
    expect([body.status, body.parts.disk.ok]).toEqual(['degraded', false]);
  });

  test('in depth tells that the cron has not run for two hours, or never since the first account', async () => {
    const at = async (hours: number, hasRun = true) => {
      const { clock } = service.ports;
      const later = await startService(({ db }) => ({
        clock: { now: () => clock.now() + hours * 3_600_000 },
        db: answering(db, (text) => {
          if (text.includes('oldestAccountMs')) return [{ oldestAccountMs: hours * 3_600_000, sealed: [] }];
          return !hasRun && text.includes('from "leases"') ? [] : null;
        }),
      }));
      const { body } = await later.call('GET', '/api/health?deep=1', { token: ADMIN_TOKEN });
      return [body.parts.last_cron.ok, body.status];
    };
    await cron();
    expect([(await at(1))[0], (await at(1, false))[0]]).toEqual([true, true]);
    expect([await at(2.1), await at(2.1, false)]).toEqual(Array(2).fill([false, 'degraded']));
  });
});

describe('the hourly sweep', () => {
  test('runs for the cron secret only, and never while the secret is unset', async () => {
    for (const token of [null, account.key, ADMIN_TOKEN, `${CRON_SECRET}x`, CRON_SECRET.slice(0, -1)])
      expect((await cron(token)).status).toBe(401);
    const unset = await startService(({ settings }) => ({ settings: { ...settings, cronSecret: null } }));
    for (const token of [CRON_SECRET, 'null', 'undefined'])
      expect((await cron(token, unset)).status).toBe(401);
    expect((await cron()).body).toMatchObject({ job: 'housekeeping', outcome: 'done' });
  });

  test('forgets expired idempotency keys and says how many', async () => {
    await account.call('POST', '/v1/inventory', cleanTruck(), { 'idempotency-key': 'to-sweep' });
    await cron();
    await queryRows(
      `update idempotency_keys set created_at = now() - interval '25 hours' where account_id = $1 and key like '% to-sweep'`,
      [account.id],
    );
    expect((await cron()).body.result).toMatchObject({ idempotency_keys_swept: 1 });
    expect((await cron()).body.result).toMatchObject({ idempotency_keys_swept: 0 });
  });

  test('is busy while another holder’s lease is alive, and runs once it has run out', async () => {
    expect(await acquireLease(service.ports.db)).not.toBeNull();
    expect((await cron()).body).toEqual({ job: 'housekeeping', outcome: 'busy', result: null });
    await queryRows(`update leases set expires_at = now()`, []);
    expect((await cron()).body.outcome).toBe('done');
  });

  test('called twice at the same moment is done by one of them or one after the other', async () => {
    const outcomes = (await Promise.all([cron(), cron(), cron()])).map(({ body }) => body.outcome);
    expect(outcomes).toContain('done');
    for (const outcome of outcomes) expect(['done', 'busy']).toContain(outcome);
  });
});

/** The database, with something that happens before a statement. */
const onStatement = (db: Sql, text: string, happen: () => void): Sql => ({
  ...db,
  async query(statement, values) {
    if (statement.text.includes(text)) happen();
    return db.query(statement, values);
  },
});

test('housekeeping takes every step, whatever became of the others', async () => {
  let auditSweeps = 0;
  const failing = await startService(({ db }) => ({
    db: onStatement(
      onStatement(db, 'delete from leads', () => {
        throw new Error('planted');
      }),
      'delete from audit a using',
      () => {
        auditSweeps += 1;
      },
    ),
  }));
  expect((await cron(CRON_SECRET, failing)).status).toBe(500);
  expect(auditSweeps).toBe(1);
});

test('housekeeping that throws keeps no lease, and health tells', async () => {
  const broken = await startService(({ db }) => ({
    db: onStatement(db, 'delete from audit a using', () => {
      throw new Error('planted');
    }),
  }));
  const readLastCron = async () => {
    const { body } = await service.call('GET', '/api/health?deep=1', { token: ADMIN_TOKEN });
    return body.parts.last_cron;
  };
  expect((await cron(CRON_SECRET, broken)).status).toBe(500);
  expect(await readLastCron()).toMatchObject({ ok: false, note: expect.stringMatching(/^last failed/) });
  expect((await cron()).body.outcome).toBe('done');
  expect(await readLastCron()).toMatchObject({ ok: true });
});
