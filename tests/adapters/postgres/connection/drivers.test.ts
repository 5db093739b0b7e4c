import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sql, sqlState } from '../../../../lib/adapters/postgres/connection/sql.ts';
import * as fc from '../../../support/oracles/fast-check.ts';
import { type Bench, DRIVERS, failure, one, run } from './drivers-under-test.ts';

describe.each(Object.values(DRIVERS).filter((driver) => driver.installed))('$name', (driver) => {
  let bench: Bench;
  let sql: Sql;

  beforeAll(async () => {
    bench = await driver.start();
    sql = bench.open();
    await run(sql, 'create table trucks (id int primary key, vin text not null unique, price int)');
  });
  afterAll(async () => {
    await sql?.close();
    await bench?.stop();
  });

  describe('values', () => {
    test.each([
      ['a boolean', 'true', true],
      ['int4', '2147483647::int', 2147483647],
      ['float8', '0.1::float8', 0.1],
      ['int8, as text', '9007199254740993::int8', '9007199254740993'],
      ['numeric, as text', '1.10::numeric', '1.10'],
      ['bytea, as text', `'\\xff00'::bytea`, '\\xff00'],
      ['a date, as text', `date '2024-02-29'`, '2024-02-29'],
      ['a timestamp, as text', `timestamp '2024-02-29 12:00:00.123456'`, '2024-02-29 12:00:00.123456'],
      ['json, parsed', `'{"a":[1,null]}'::json`, { a: [1, null] }],
      ['jsonb, parsed', `'"10"'::jsonb`, '10'],
      ['null', 'null::int', null],
      [
        'text[]',
        `array['a','b,c','d"e','\\f', 'NULL', null, '']::text[]`,
        ['a', 'b,c', 'd"e', '\\f', 'NULL', null, ''],
      ],
      ['an empty array', `'{}'::text[]`, []],
      [
        'int4[] with rows',
        `array[[1,2],[3,4]]`,
        [
          [1, 2],
          [3, 4],
        ],
      ],
      ['int8[], as texts', 'array[9007199254740993]::int8[]', ['9007199254740993']],
      ['boolean[]', 'array[true,false]', [true, false]],
    ])('%s arrives alike everywhere', async (_, expression, value) => {
      expect(await one(sql, `select ${expression} as v`)).toEqual(value);
      expect(await one(sql, `select ${expression} as v where $1 = 1::int`, [1])).toEqual(value);
    });

    test('rows as arrays keep columns of one name apart, and json as text', async () => {
      const text = `select 1 as a, 2 as a, '{"b": 1}'::jsonb as c where $1::int = 1`;
      expect(await sql.query({ text, arrays: true }, [1])).toEqual([[1, 2, '{"b": 1}']]);
    });

    test('parameters mean what they say', async () => {
      const text = `select $1::text as t, $2::int as i, $3::float8 as f, $4::boolean as b, $5::text is null as n,
        $6::timestamptz = timestamptz '2024-05-06 07:08:09.010Z' as d, $7::text[] as a, $8::jsonb->>'x' as j,
        $9::numeric::text as m`;
      const params = [
        'x',
        7,
        1.5,
        false,
        null,
        new Date('2024-05-06T07:08:09.010Z'),
        ['p', null, '{', '\\"'],
        '{"x":"y"}',
        1e21,
      ];
      expect(await sql.query({ text }, params)).toEqual([
        {
          t: 'x',
          i: 7,
          f: 1.5,
          b: false,
          n: true,
          d: true,
          a: ['p', null, '{', '\\"'],
          j: 'y',
          m: '1000000000000000000000',
        },
      ]);
    });

    test('any text, and any list of texts, comes back as it went', async () => {
      const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
      await fc.assert(
        fc.asyncProperty(text, fc.array(fc.option(text)), async (single, list) => {
          const rows = await sql.query({ text: 'select $1::text as single, $2::text[] as list' }, [
            single,
            list,
          ]);
          expect(rows).toEqual([{ single, list }]);
        }),
        { numRuns: 60 },
      );
    });

    test.each([[{}], [undefined], [[['nested']]]])(
      'a parameter that is %j is refused before it is sent',
      async (value) => {
        await expect(run(sql, 'select $1::text', [value])).rejects.toThrow(TypeError);
      },
    );

    test('a text of 5 MB passes both ways', async () => {
      const text = 'ünï'.repeat(1_000_000);
      const rows = await sql.query<{ v: string }>({ text: 'select $1::text as v', role: 'ingest' }, [text]);
      expect(rows[0]?.v === text).toBe(true);
    });
  });

  describe('errors', () => {
    test.each([
      ['23505', 'insert into trucks values (1, $1)', ['same']],
      ['22P02', 'select $1::int', ['x']],
      ['22003', 'select $1::text::numeric::int', [1e12]],
      ['42601', 'select from where $1', [1]],
      ['22021', 'select $1::text', ['a\0b']],
    ])('SQLSTATE %s is kept, and the connection serves on', async (state, text, params) => {
      await run(sql, `insert into trucks values (1, 'same') on conflict do nothing`);
      expect(sqlState(await failure(run(sql, text, params)))).toBe(state);
      expect(sqlState(await failure(sql.query({ text, prepared: true }, params)))).toBe(state);
      expect(await one(sql, 'select 1 as v')).toBe(1);
    });
  });

  describe('parallel', () => {
    test('50 queries on 2 connections all succeed', async () => {
      const pair = bench.open({ max: 2 });
      const numbers = Array.from({ length: 50 }, (_, at) => at);
      const answers = await Promise.all(
        numbers.map((at) => one(pair, 'select $1::int as v, pg_sleep(0.005)', [at])),
      );
      expect(answers).toEqual(numbers);
      await pair.close();
    });

    test('a failing one fails alone', async () => {
      const answers = await Promise.allSettled(
        Array.from({ length: 20 }, (_, at) => one(sql, 'select 1 / ($1::int % 5) as v', [at])),
      );
      expect(answers.map((answer) => answer.status === 'rejected')).toEqual(
        answers.map((_, at) => at % 5 === 0),
      );
    });
  });

  describe('transactions', () => {
    const count = (on: Sql, vin: string) =>
      one(on, 'select count(*)::int as v from trucks where vin like $1', [vin]);
    const add = (on: Sql, id: number, vin: string) =>
      run(on, 'insert into trucks (id, vin) values ($1, $2)', [id, vin]);

    test('what is committed stays, and the result is handed on', async () => {
      const result = await sql.transaction(async (bound) => {
        expect([sql.transactional, bound.transactional]).toEqual([false, true]);
        await add(bound, 100, 'commit-1');
        return await count(bound, 'commit-%');
      });
      expect([result, await count(sql, 'commit-%')]).toEqual([1, 1]);
    });

    test('a throw takes everything back and goes on', async () => {
      const reason = new Error('changed my mind');
      const work = sql.transaction(async (bound) => {
        await add(bound, 110, 'throw-1');
        throw reason;
      });
      expect(await failure(work)).toBe(reason);
      expect(await count(sql, 'throw-%')).toBe(0);
    });

    test('a query from outside neither sees it nor slips into it', async () => {
      let outside: Promise<unknown> = Promise.resolve();
      await failure(
        sql.transaction(async (bound) => {
          await add(bound, 120, 'outside-1');
          outside = add(sql, 121, 'outside-2');
          await sleep(20);
          expect(await count(bound, 'outside-1')).toBe(1);
          throw new Error('roll back');
        }),
      );
      await outside;
      expect([await count(sql, 'outside-1'), await count(sql, 'outside-2')]).toEqual([0, 1]);
    });

    test('a nested one that throws takes back only its own part', async () => {
      await sql.transaction(async (bound) => {
        await add(bound, 130, 'nested-1');
        await failure(
          bound.transaction(async (inner) => {
            await add(inner, 131, 'nested-2');
            await inner.transaction((innermost) => add(innermost, 132, 'nested-3'));
            await add(inner, 130, 'nested-4');
          }),
        );
        await bound.transaction((inner) => add(inner, 133, 'nested-5'));
      });
      const rows = await sql.query({ text: `select vin from trucks where vin like 'nested-%' order by id` });
      expect(rows).toEqual([{ vin: 'nested-1' }, { vin: 'nested-5' }]);
    });

    test('a failed statement that nobody minds does not pass for a commit', async () => {
      const work = sql.transaction(async (bound) => {
        await add(bound, 140, 'swallowed-1');
        await failure(add(bound, 140, 'swallowed-2'));
        return 'fine';
      });
      expect(sqlState(await failure(work))).toBe('25P02');
      expect(await count(sql, 'swallowed-%')).toBe(0);
    });

    test('statements started together take turns, and none runs after the end', async () => {
      let stray: Promise<unknown> = Promise.resolve();
      let kept: Sql | undefined;
      await failure(
        sql.transaction(async (bound) => {
          kept = bound;
          stray = Promise.allSettled([
            add(bound, 150, 'stray-1'),
            add(bound, 151, 'stray-2'),
            add(bound, 152, 'stray-3'),
          ]);
          throw new Error('left early');
        }),
      );
      await stray;
      expect(await failure(kept ? add(kept, 153, 'stray-4') : Promise.resolve())).toBeInstanceOf(Error);
      expect(await count(sql, 'stray-%')).toBe(0);
    });

    test('20 at once on 2 connections all commit', async () => {
      const pair = bench.open({ max: 2 });
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          pair.transaction(async (bound) => {
            await add(bound, 200 + at, `many-${at}`);
            await Promise.all([count(bound, 'many-%'), count(bound, 'many-%')]);
          }),
        ),
      );
      expect(await count(sql, 'many-%')).toBe(20);
      await pair.close();
    });
  });

  describe('prepared statements', () => {
    const byId = { text: 'select vin as v from trucks where id = $1', prepared: true };

    test('answer alike on every use and every connection', async () => {
      await run(sql, `insert into trucks select g, 'prepared-' || g from generate_series(1000, 1039) g`);
      for (let round = 0; round < 4; round++) {
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_, at) => sql.query(byId, [1000 + at])),
        );
        expect(answers).toEqual(answers.map((_, at) => [{ v: `prepared-${1000 + at}` }]));
      }
    });

    test('work inside a transaction', async () => {
      const inside = await sql.transaction(async (bound) => [
        await bound.query(byId, [1000]),
        await bound.query(byId, [1001]),
      ]);
      expect(inside).toEqual([[{ v: 'prepared-1000' }], [{ v: 'prepared-1001' }]]);
    });

    test('survive a migration that changes what they return', async () => {
      await run(sql, 'create table changing (id int)');
      await run(sql, 'insert into changing values (1)');
      const all = { text: 'select * from changing where id = $1', prepared: true };
      const several = () => Promise.all(Array.from({ length: 8 }, () => sql.query(all, [1])));
      await several();
      await run(sql, 'alter table changing add column added text');
      expect(await several()).toEqual(Array.from({ length: 8 }, () => [{ id: 1, added: null }]));
    });
  });

  test('after close nothing is answered, and closing twice is no error', async () => {
    const other = bench.open();
    await one(other, 'select 1 as v');
    await other.close();
    await other.close();
    expect(await failure(one(other, 'select 1 as v'))).toBeInstanceOf(Error);
  });
});
