import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseDown } from '../../../../lib/db/connection/errors.ts';
import { migrate } from '../../../../lib/db/migrations/migrate.ts';
import type { Sql } from '../../../../lib/db/sql.ts';
import { type Mode, startBlackhole } from '../../../support/servers/blackhole.ts';
import { type Bench, type DRIVERS, failure, one, run } from './drivers-under-test.ts';

/** Soon, and not with the first request: a busy machine may take longer to connect than a request has time. */
const expectRecovery = (sql: Sql) =>
  vi.waitFor(async () => expect(await one(sql, 'select 1 as v')).toBe(1), { timeout: 15_000 });

/** Each fails with DatabaseDown before a timer of this length: a machine that stands still delays it as the driver's own. */
async function expectOutage(work: Promise<unknown>[], withinMs = 4_000): Promise<void> {
  const late = sleep(withinMs, ['late']);
  for (const fault of await Promise.race([Promise.all(work.map(failure)), late]))
    expect(fault).toBeInstanceOf(DatabaseDown);
}

/** What a driver owes the service while its database is away. */
export function testOutages({ name, start }: (typeof DRIVERS)[number]): void {
  describe(`${name}, when the database is away`, () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await start();
      await run(bench.direct, 'create table written (id int)');
      await migrate(bench.direct);
    });
    afterAll(() => bench?.stop());

    /** Closed at the end of the test. */
    function open(options?: Parameters<Bench['open']>[0]) {
      const sql = bench.open(options);
      onTestFinished(sql.close);
      return sql;
    }
    async function throughBlackhole(mode: Mode = 'forward') {
      const blackhole = await startBlackhole(bench.port);
      onTestFinished(blackhole.close);
      await blackhole.set(mode);
      return { set: blackhole.set, sql: open({ port: blackhole.port }) };
    }
    const requests = (sql: Sql, count: number) =>
      Array.from({ length: count }, () => one(sql, 'select 1 as v'));
    const warmUp = (sql: Sql) => Promise.all(requests(sql, 5));
    const countRunning = (mark: string) =>
      one(
        bench.direct,
        `select count(*)::int as v from pg_stat_activity
         where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()`,
        [`%${mark}%`],
      );
    const endOthers = () =>
      run(
        bench.direct,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );

    test('a refused connection fails at once, and after its return requests work', async () => {
      const { set, sql } = await throughBlackhole('refuse');
      await expectOutage(requests(sql, 12));
      await set('forward');
      await expectRecovery(sql);
      await set('refuse');
      await expectOutage(requests(sql, 12));
    });

    test('a database that has to wake first is waited for', async () => {
      const { sql } = await throughBlackhole('asleep');
      const work = sql.transaction((bound) => one(bound, 'select 1 as v'));
      expect(await Promise.all([work, one(sql, 'select 2 as v')])).toEqual([1, 2]);
    });

    test('silence on new connections fails in time, however many wait behind them', async () => {
      const { set, sql } = await throughBlackhole('swallow');
      await expectOutage(requests(sql, 30));
      await set('forward');
      await expectRecovery(sql);
    });

    test('silence on warm connections fails in time, inside a transaction too', async () => {
      const { set, sql } = await throughBlackhole();
      await warmUp(sql);
      await sql
        .transaction(async (bound) => {
          await one(bound, 'select 1 as v');
          await set('swallow');
          await expectOutage([one(bound, 'select 1 as v'), ...requests(sql, 30)]);
        })
        .catch(() => undefined);
      await set('forward');
      await expectRecovery(sql);
    });

    test('what is to be written is refused in time when the database is silent before', async () => {
      const { set, sql } = await throughBlackhole();
      await warmUp(sql);
      await set('swallow');
      const write = () => sql.transaction((bound) => run(bound, 'insert into written values (0)'), 'ingest');
      await expectOutage([write(), write()]);
    });

    test('a server that ends its connections, one in mid-statement, is an outage, and requests work again', async () => {
      const sql = open();
      await warmUp(sql);
      const cut = failure(sql.query({ text: `select pg_sleep(20), 'cut-me'`, timeout: 'ingest' }));
      while ((await countRunning('cut-me')) === 0) await sleep(10);
      await endOthers();
      expect(await cut).toBeInstanceOf(DatabaseDown);
      await expectRecovery(sql);
    });

    test.each([
      ['alone', (sql: Sql, text: string) => run(sql, text, [1])],
      ['in a transaction', (sql: Sql, text: string) => sql.transaction((bound) => run(bound, text, [1]))],
    ])(
      'a statement that overruns its time %s is given up, and ended on the server',
      async (place, overrun) => {
        const sql = open({ max: 1 });
        await expectOutage(
          [overrun(sql, `select pg_sleep(60), 'overrun ${place}' where $1 = 1::int`)],
          3_500,
        );
        while ((await countRunning('overrun')) !== 0) await sleep(20);
        await expectRecovery(sql);
      },
    );

    test('a busy server is waited for beyond the time of a request', async () => {
      const sql = open({ max: 1 });
      const slow = sql.query({ text: 'select pg_sleep(2.6)', timeout: 'ingest' });
      expect(await Promise.all(requests(sql, 3))).toEqual([1, 1, 1]);
      await slow;
    });

    test('a connection that the server ends between two statements rolls the transaction back', async () => {
      const sql = open();
      const work = sql.transaction(async (bound) => {
        await run(bound, 'insert into written values (1)');
        await endOthers();
        await sleep(50);
        await run(bound, 'insert into written values (2)');
      });
      expect(await failure(work)).toBeInstanceOf(DatabaseDown);
      expect(await one(bench.direct, 'select count(*)::int as v from written')).toBe(0);
    });
  });
}
