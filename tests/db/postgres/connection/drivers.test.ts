import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlState } from '../../../../lib/db/connection/errors.ts';
import { openPg } from '../../../../lib/db/connection/pool.ts';
import { prepared, type Sql } from '../../../../lib/db/sql.ts';
import { RejectedByDatabase } from '../../../../lib/outside/faults.ts';
import { usePostgres } from '../../../support/postgres/postgres.ts';
import { type Bench, DRIVERS, failure, one, run } from './drivers-under-test.ts';

describe.each(DRIVERS)('$name', ({ start }) => {
  let bench: Bench;
  let sql: Sql;

  beforeAll(async () => {
    bench = await start();
    sql = bench.open();
    await run(sql, 'create table trucks (id int primary key, vin text not null unique)');
  });
  afterAll(async () => {
    await sql?.close();
    await bench?.stop();
  });

  const add = (on: Sql, id: number, vin: string) =>
    run(on, 'insert into trucks (id, vin) values ($1, $2)', [id, vin]);
  const list = (on: Sql, vin: string) =>
    one(on, `select coalesce(json_agg(vin order by id), '[]') as v from trucks where vin like $1`, [vin]);

  test('values come back as they went, and an undefined one is refused before it is sent', async () => {
    const text = `select $1::text as t, $2::int as i, $3::float8 as f, $4::boolean as b, $5::text is null as n,
      $6::timestamptz = timestamptz '2024-05-06 07:08:09.010Z' as d, $7::text[] as a, $8::jsonb as j,
      $9::numeric as m, 9007199254740993::int8 as l`;
    const array = ['p', null, '{', '\\"', 'NULL', ''];
    const date = new Date('2024-05-06T07:08:09.010Z');
    const params = ['ü\n', 7, 1.5, false, null, date, array, '{"x":["y"]}', 1e21];
    expect(await sql.query({ text }, params)).toEqual([
      {
        ...{ t: 'ü\n', i: 7, f: 1.5, b: false, n: true, d: true, a: array, j: { x: ['y'] } },
        ...{ m: '1000000000000000000000', l: '9007199254740993' },
      },
    ]);
    await expect(run(sql, 'select $1::text', [undefined])).rejects.toThrow(TypeError);
  });

  test.each([
    ['23505', 'insert into trucks values (1, $1)', 'same'],
    ['22021', 'select $1::text', 'a\0b'],
  ])('SQLSTATE %s is the refusal of a value, and the connection serves on', async (state, text, value) => {
    await run(sql, `insert into trucks values (1, 'same') on conflict do nothing`);
    for (const statement of [{ text }, prepared({ text })]) {
      const error = await failure(sql.query(statement, [value]));
      expect(error).toBeInstanceOf(RejectedByDatabase);
      expect(sqlState(error)).toBe(state);
    }
    expect(await one(sql, 'select 1 as v')).toBe(1);
  });

  test('a mistake in a statement stays what it is', async () => {
    const error = await failure(run(sql, 'select from where'));
    expect(error).toMatchObject({ name: 'error', code: '42601' });
  });

  test('prepared statements answer alike on every connection, in and out of a transaction', async () => {
    const byId = prepared({ text: 'select vin as v from trucks where id = $1' });
    await run(sql, `insert into trucks select g, 'prepared-' || g from generate_series(1000, 1039) g`);
    const expected = Array.from({ length: 40 }, (_, at) => [{ v: `prepared-${1000 + at}` }]);
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(expected.map((_, at) => sql.query(byId, [1000 + at])));
      expect(answers).toEqual(expected);
    }
    expect(await sql.transaction((bound) => bound.query(byId, [1000]))).toEqual(expected[0]);
  });

  describe('in a transaction', () => {
    test('what is committed stays, and the result is handed on; a throw takes back its own, and no other’s', async () => {
      expect(
        await sql.transaction(async (bound) => {
          await add(bound, 100, 'whole-1');
          return list(bound, 'whole-%');
        }),
      ).toEqual(['whole-1']);
      const reason = new Error('changed my mind');
      const work = sql.transaction(async (bound) => {
        await add(bound, 110, 'whole-2');
        await add(sql, 111, 'whole-3');
        throw reason;
      });
      expect(await failure(work)).toBe(reason);
      expect(await list(sql, 'whole-%')).toEqual(['whole-1', 'whole-3']);
    });

    test('a nested one that throws takes back only its own part', async () => {
      await sql.transaction(async (bound) => {
        await add(bound, 130, 'nested-1');
        await failure(
          bound.transaction(async (inner) => {
            await inner.transaction((innermost) => add(innermost, 132, 'nested-2'));
            await add(inner, 130, 'nested-3');
          }),
        );
        await bound.transaction((inner) => add(inner, 133, 'nested-4'));
      });
      expect(await list(sql, 'nested-%')).toEqual(['nested-1', 'nested-4']);
    });

    test('a failed statement that nobody minds does not pass for a commit', async () => {
      const work = sql.transaction(async (bound) => {
        await add(bound, 140, 'swallowed-1');
        await failure(add(bound, 140, 'swallowed-2'));
      });
      await expect(work).rejects.toThrow('rolled back');
      expect(await list(sql, 'swallowed-%')).toEqual([]);
    });

    test('statements started together run one after the other, and none after the end', async () => {
      let leaked = sql;
      await failure(
        sql.transaction(async (bound) => {
          leaked = bound;
          for (const id of [150, 151, 152]) void failure(add(bound, id, `stray-${id}`));
          throw new Error('left early');
        }),
      );
      await expect(add(leaked, 153, 'stray-4')).rejects.toThrow();
      await sleep(20);
      expect(await list(sql, 'stray-%')).toEqual([]);
    });
  });
});

test('a wrong password is a mistake and no outage', async () => {
  const url = Object.assign(new URL(usePostgres().url), { password: 'wrong' }).href;
  expect(sqlState(await failure(run(openPg({ url }), 'select 1')))).toBe('28P01');
});
