import { expect, test } from 'vitest';
import { createPorts } from '../../../lib/connect.ts';
import type { Sql } from '../../../lib/db/sql.ts';
import { readEnv } from '../../../lib/env.ts';
import { ingestFor } from '../../../lib/inventory/ingest-listings.ts';
import { suiteDatabase } from '../../support/postgres/suite-database.ts';
import { cleanTrucks } from '../../support/samples/trucks.ts';

const ACCOUNT = 'acc_000000000000000000000001';
const { sql, url } = await suiteDatabase();
const ports = createPorts(readEnv({ POSTGRES_URL: url, LOG: 'silent', VERCEL: '1' }), sql);
await sql.query({ text: `insert into accounts (id, name, tier) values ($1, 'Lot', 'pro')` }, [ACCOUNT]);
const runOn = (db: Sql, records: readonly unknown[], lockDeadlineMs = 15_000) =>
  ingestFor({ ...ports, db }, ACCOUNT, { records, observedAt: null, dryRun: false, lockDeadlineMs });
const run = (records: readonly unknown[], lockDeadlineMs?: number) => runOn(sql, records, lockDeadlineMs);

const outcomes = (results: Awaited<ReturnType<typeof run>>) =>
  results.map((result) =>
    result.kind === 'rejected' ? result.reject.code : result.kind === 'accepted' && result.outcome,
  );

test('locked rows are refused together, and the rest of their batch is stored', async () => {
  const trucks = cleanTrucks(150);
  await run(trucks);
  const locked = trucks.slice(0, 120).map(({ vin }) => vin);
  await sql.transaction(async (other) => {
    await other.query({ text: 'select 1 from listings where vin = any($1) for update' }, [locked]);
    const started = performance.now();
    const repriced = trucks.map((truck) => ({ ...truck, price: 51_000 }));
    const results = await run(repriced, 1_500);
    // 120 rows, each tried by itself, would take 90 s.
    expect(performance.now() - started).toBeLessThan(40_000);
    expect(outcomes(results)).toEqual([
      ...locked.map(() => 'DUPLICATE_DEDUP_HASH'),
      ...trucks.slice(120).map(() => 'merged'),
    ]);
  });
});

test('rows that another transaction is inserting are refused at the deadline', async () => {
  const trucks = cleanTrucks(120);
  await sql.transaction(async (other) => {
    await runOn(other, trucks);
    const started = performance.now();
    const results = await run(trucks, 1_500);
    expect(performance.now() - started).toBeLessThan(40_000);
    expect(outcomes(results)).toEqual(trucks.map(() => 'DUPLICATE_DEDUP_HASH'));
  });
  expect((await run(trucks)).every((result) => result.kind === 'accepted')).toBe(true);
});

test('a row that another transaction is inserting is refused alone', async () => {
  const trucks = cleanTrucks(128).slice(120);
  await sql.transaction(async (other) => {
    await runOn(other, trucks.slice(0, 1));
    expect(outcomes(await run(trucks, 3_000))).toEqual([
      'DUPLICATE_DEDUP_HASH',
      ...trucks.slice(1).map(() => 'created'),
    ]);
  });
});
