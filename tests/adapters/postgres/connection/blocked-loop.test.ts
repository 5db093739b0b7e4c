import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openPg } from '../../../../lib/adapters/postgres/connection/pg.ts';
import { CONNECT_TIMEOUT_MS } from '../../../../lib/adapters/postgres/connection/pool.ts';
import { ROLE_TIMEOUTS } from '../../../../lib/adapters/postgres/connection/sql.ts';
import { useDatabase } from '../../../support/postgres/postgres.ts';
import { one } from './drivers-under-test.ts';

const database = useDatabase();

/** As heavy work does, or a platform that freezes the instance. The database works on meanwhile. */
const blockLoop = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const countSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test('an answer that arrived in time is read, though the loop was blocked beyond the timeout', async () => {
  const sql = openPg({ url: database(), max: 1 });
  await one(sql, 'select 1 as v');
  const answer = one(sql, 'select 2 as v from pg_sleep(0.5)');
  await nextTurn();
  await nextTurn();
  blockLoop(ROLE_TIMEOUTS.request + 500);
  expect(await answer).toBe(2);
  await sql.close();
});

test('a connection is tried again when the loop was blocked while it opened', async () => {
  const sql = openPg({ url: database(), max: 1 });
  const openBefore = countSockets();
  const answer = sql.query({ text: 'select 3 as v', role: 'ingest' });
  while (countSockets() === openBefore) await nextTurn();
  blockLoop(CONNECT_TIMEOUT_MS + 500);
  expect(await answer).toEqual([{ v: 3 }]);
  await sql.close();
});
