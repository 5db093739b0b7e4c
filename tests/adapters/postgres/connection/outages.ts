import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DatabaseDown, type Sql } from '../../../../lib/adapters/postgres/connection/sql.ts';
import { type Bench, type Driver, failure, OTHERS_OUT, one, run } from './drivers-under-test.ts';

/** Soon, and not with the first request: a busy machine may take longer to connect than a request has time. */
const expectRecovery = (sql: Sql) =>
  vi.waitFor(async () => expect(await one(sql, 'select 1 as v')).toBe(1), { timeout: 15_000 });

/** What a driver owes the service while its database is away. */
export function testOutages(driver: Driver): void {
  describe.skipIf(!driver.installed)(`${driver.name}, when the database is away`, () => {
    let bench: Bench;
    let network: Bench['network'];
    let direct: Sql;

    beforeAll(async () => {
      bench = await driver.start();
      network = bench.network;
      direct = network.direct();
    });
    afterAll(async () => {
      await direct?.close();
      await bench?.stop();
    });

    /** A connection through a blackhole, disposed of at the end of the test. */
    async function throughBlackhole() {
      const blackhole = await network.darken();
      const sql = network.openThrough(blackhole);
      return {
        blackhole,
        sql,
        async [Symbol.asyncDispose]() {
          await sql.close();
          await blackhole.close();
        },
      };
    }
    const running = (mark: string) =>
      one(
        direct,
        `select count(*)::int as v from pg_stat_activity
         where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()`,
        [`%${mark}%`],
      );

    // Side by side, because what takes long is the pool's own limits; @vercel/postgres knows one proxy at a time.
    const concurrent = !driver.name.startsWith('@vercel');
    describe('with limits that pass', { concurrent }, () => {
      test('a refused connection is DatabaseDown, and after its return requests work', async () => {
        await using line = await throughBlackhole();
        await line.blackhole.set('refuse');
        expect(await failure(one(line.sql, 'select 1 as v'))).toBeInstanceOf(DatabaseDown);
        await line.blackhole.set('forward');
        await expectRecovery(line.sql);
        await line.blackhole.set('refuse');
        expect(await failure(one(line.sql, 'select 1 as v'))).toBeInstanceOf(DatabaseDown);
        await line.blackhole.set('forward');
        await expectRecovery(line.sql);
      });

      test('a database that has to wake first is waited for', async () => {
        await using line = await throughBlackhole();
        await line.blackhole.set('asleep');
        const work = line.sql.transaction((bound) => one(bound, 'select 1 as v'));
        expect(await Promise.all([work, one(line.sql, 'select 2 as v')])).toEqual([1, 2]);
      });

      // Without a bound of our own these would wait for as long as the test runner lets them.
      test('silence on a new connection is DatabaseDown, for those who queue behind it too', {
        timeout: 25_000,
      }, async () => {
        await using line = await throughBlackhole();
        await line.blackhole.set('swallow');
        const answers = await Promise.all(
          Array.from({ length: 12 }, () => failure(one(line.sql, 'select 1 as v'))),
        );
        for (const answer of answers) expect(answer).toBeInstanceOf(DatabaseDown);
        await line.blackhole.set('forward');
        await expectRecovery(line.sql);
      });

      test('silence on a warm connection is DatabaseDown, also inside a transaction', {
        timeout: 25_000,
      }, async () => {
        await using line = await throughBlackhole();
        await Promise.all(Array.from({ length: 3 }, () => one(line.sql, 'select pg_sleep(0.05), 1 as v')));
        let reached = false;
        const inside = line.sql.transaction(async (bound) => {
          await one(bound, 'select 1 as v');
          await line.blackhole.set('swallow');
          reached = true;
          await one(bound, 'select 1 as v');
        });
        while (!reached) await sleep(5);
        const answers = await Promise.all([
          failure(inside),
          ...[1, 2].map(() => failure(one(line.sql, 'select 1 as v'))),
        ]);
        for (const answer of answers) expect(answer).toBeInstanceOf(DatabaseDown);
        await line.blackhole.set('forward');
        await expectRecovery(line.sql);
      });

      // Their own budget is 30 s: time enough for a row lock, and longer than this test may take.
      test('silence under an ingest statement is DatabaseDown long before its budget ends, and for those behind it', {
        timeout: 25_000,
      }, async () => {
        await using line = await throughBlackhole();
        await Promise.all(Array.from({ length: 3 }, () => one(line.sql, 'select pg_sleep(0.05), 1 as v')));
        await line.blackhole.set('swallow');
        const answers = await Promise.all(
          Array.from({ length: 30 }, () =>
            failure(line.sql.query({ text: 'select 1 as v', role: 'ingest' })),
          ),
        );
        for (const answer of answers) expect(answer).toBeInstanceOf(DatabaseDown);
        await line.blackhole.set('forward');
        await expectRecovery(line.sql);
      });

      test('a server that ends the connection in mid-statement is DatabaseDown, and requests work again', async () => {
        const sql = bench.open();
        const cut = failure(sql.query({ text: `select pg_sleep(20), 'cut-me'`, role: 'ingest' }));
        while ((await running('cut-me')) === 0) await sleep(10);
        await run(
          direct,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and query like '%cut-me%' and pid <> pg_backend_pid()`,
        );
        expect(await cut).toBeInstanceOf(DatabaseDown);
        await expectRecovery(sql);
        await sql.close();
      });

      test('a statement that overruns its budget is given up, and ended on the server', async () => {
        const sql = bench.open({ max: 1 });
        const overrun = await failure(run(sql, `select pg_sleep(60), 'overrun' where $1 = 1::int`, [1]));
        expect(overrun).toBeInstanceOf(DatabaseDown);
        while ((await running('overrun')) !== 0) await sleep(20);
        await expectRecovery(sql);
        await sql.close();
      });

      test('a busy server is waited for beyond the budget of a request', async () => {
        const sql = bench.open({ max: 1 });
        const [slow, quick] = await Promise.all([
          sql.query({ text: 'select pg_sleep(2.6), 1 as v', role: 'ingest' }),
          one(sql, 'select 2 as v'),
        ]);
        expect([slow.length, quick]).toEqual([1, 2]);
        await sql.close();
      });
    });

    test('a connection that the server ends between two statements rolls the transaction back', async () => {
      const sql = bench.open();
      await run(sql, 'create table if not exists written (id int)');
      const work = sql.transaction(async (bound) => {
        await run(bound, 'insert into written values (1)');
        await run(direct, OTHERS_OUT);
        await sleep(50);
        await run(bound, 'insert into written values (2)');
      });
      expect(await failure(work)).toBeInstanceOf(DatabaseDown);
      expect(await one(sql, 'select count(*)::int as v from written')).toBe(0);
      await sql.close();
    });

    test('a statement that the server itself cuts off for its duration is DatabaseDown', async () => {
      const sql = bench.open();
      const work = sql.transaction(async (bound) => {
        await run(bound, `set local statement_timeout = '20ms'`);
        await run(bound, 'select pg_sleep(5)');
      });
      expect(await failure(work)).toBeInstanceOf(DatabaseDown);
      await sql.close();
    });

    test('idle connections that the server ends do no harm', async () => {
      const sql = bench.open();
      await Promise.all([1, 2, 3].map((at) => one(sql, 'select $1::int as v, pg_sleep(0.05)', [at])));
      await run(direct, OTHERS_OUT);
      await expectRecovery(sql);
      await sql.close();
    });
  });
}
