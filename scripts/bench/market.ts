import { parseArgs } from 'node:util';
import pg from 'pg';
import { openPg } from '../../lib/adapters/postgres/connection/pg.ts';
import type { Sql } from '../../lib/adapters/postgres/connection/sql.ts';
import { postgresLeases } from '../../lib/adapters/postgres/jobs/leases.ts';
import { postgresMarket } from '../../lib/adapters/postgres/market/market.ts';
import { migrate } from '../../lib/adapters/postgres/migrations/migrate.ts';
import { type MarketFilter, toPicks } from '../../lib/domain/market/market-filter.ts';
import { lastWeeks } from '../../lib/domain/market/market-weeks.ts';
import { MARKET_JOB, type Market } from '../../lib/ports/market.ts';
import { LIVE_BOUND } from '../../lib/services/market/market-prices.ts';
import { LIVE_HISTORIES } from '../../lib/services/market/market-trends.ts';
import { quantile, timed } from './numbers.ts';
import { startPostgres } from './postgres.ts';
import { fixed, print, whole } from './report.ts';

/**
 * Market data at one million listings of 200 accounts in a real PostgreSQL with its default settings: milliseconds that
 * the server takes for the statements of a look-up, and of the job. Alone: `node scripts/bench/market.ts`, with
 * `--quick` at 20,000 listings.
 */

const FILL = `
  insert into listing_search (account_id, dedup_hash, vin, status, make, model, model_year, truck_class, body_type,
    condition, fuel_type, price, mileage, state, quality, has_images, updated_at)
  select 'acc_' || (r1 * r1 * 200)::int, sha256(n::text::bytea), lpad(n::text, 17, '0'),
    case when r2 < 0.9 then 'available' else 'sold' end, 'Make ' || m, 'Model ' || m || '-' || (r3 * r3 * 9)::int,
    2026 - age, 'class_' || case when m < 8 then 8 - (r3 > 0.8)::int else 4 + (r3 * 3)::int end,
    (array['sleeper_tractor', 'day_cab_tractor', 'dump', 'box', 'flatbed'])[1 + (r5 * r5 * 4.99)::int],
    case when age < 2 then 'new' else 'used' end, case when r6 < 0.9 then 'diesel' else 'gasoline' end,
    case when r7 < 0.93 then (180000 * exp(-0.09 * age) * (0.6 + r1 * 0.8) * (1 + m * 0.02))::int end,
    (age * 45000 * (0.4 + r8 * 1.2))::int, chr(65 + (r6 * 6.9)::int) || chr(65 + (r8 * 6.9)::int), 60, false, now()
  from (
    select n, random() r1, random() r2, random() r3, random() r5, random() r6, random() r7, random() r8,
      (power(random(), 2.2) * 24)::int as m, (power(random(), 2) * 25)::int as age from generate_series(1, $LISTINGS) n
  ) dice`;

const AFTER = [
  `insert into listing_events (account_id, dedup_hash, version, kind, at, new_price)
    select account_id, dedup_hash, 1, 'created', now() - random() * interval '300 days', price from listing_search`,
  `insert into listing_events (account_id, dedup_hash, version, kind, at, old_price, new_price)
    select account_id, dedup_hash, 2, 'sold', now() - random() * interval '60 days', price, price
    from listing_search where status = 'sold'`,
  `insert into market_dirty (make, model, model_year, truck_class)
    select distinct make, upper(translate(model, ' -', '')), model_year, truck_class from listing_search`,
];

const ANY: MarketFilter = {
  ...{ make: null, model: null, yearMin: null, yearMax: null, truckClass: null, body: null, state: null },
  ...{ condition: null, fuel: null, mileageMin: null, mileageMax: null },
};
const POPULAR = { make: 'Make 0', model: 'model 0-0' };
const RARE = { make: 'Make 23', model: 'Model 23-8' };

const KINDS: readonly (readonly [name: string, filter: Partial<MarketFilter>])[] = [
  ['a popular model, five model years', { ...POPULAR, yearMin: 2018, yearMax: 2022 }],
  ['a popular model, class and state', { ...POPULAR, truckClass: 'class_8', state: 'BC' }],
  ['a popular model, mileage', { ...POPULAR, mileageMin: 100_000, mileageMax: 400_000 }],
  ['a rare model', RARE],
  ['a rare model, one model year, body', { ...RARE, yearMin: 2020, yearMax: 2020, body: 'box' }],
  ['one make', { make: 'Make 1' }],
  ['one make, class, body, state', { make: 'Make 1', truckClass: 'class_8', body: 'dump', state: 'AB' }],
  ['one class', { truckClass: 'class_6' }],
  ['everything', {}],
  ['everything, mileage and condition', { mileageMax: 300_000, condition: 'used' }],
];

async function fill(url: string, listings: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'listing_search' and indexname not like '%_pkey'`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '256MB'");
  await client.query(FILL.replace('$LISTINGS', String(listings)));
  for (const statement of AFTER) await client.query(statement);
  for (const { name, definition } of indexes)
    if (name === 'listing_search_market') await client.query(definition);
  await client.query('vacuum analyze');
  await client.end();
}

/** Milliseconds that the server takes for what is asked, its answer written out; what the client does is left out. */
class Stopwatch {
  ms = 0;
  readonly sql: Sql;

  constructor(sql: Sql) {
    this.sql = {
      ...sql,
      query: async (statement, params) => {
        const [plan] = await sql.query<Record<string, { 'Execution Time': number }[]>>(
          { text: `explain (analyze, serialize text, timing off, format json) ${statement.text}` },
          params,
        );
        for (const { 'Execution Time': ms } of plan?.['QUERY PLAN'] ?? []) this.ms += ms;
        return sql.query(statement, params);
      },
    };
  }
}

async function measure(
  watch: Stopwatch,
  name: string,
  rounds: number,
  look: () => Promise<string>,
): Promise<void> {
  const times: number[] = [];
  let how = '';
  for (let round = -10; round < rounds; round++) {
    watch.ms = 0;
    how = await look();
    if (round >= 0) times.push(watch.ms);
  }
  print(`  ${name.padEnd(40)} ${fixed(quantile(times, 0.5), 2)} ${fixed(quantile(times, 0.99), 2)}   ${how}`);
}

async function prices(market: Market, filter: MarketFilter): Promise<string> {
  const live = await market.live(filter, LIVE_BOUND);
  if (live) return `${live.length} looked at`;
  const { cells } = await market.cells(filter, toPicks(filter) !== null);
  return `${cells.length} cells`;
}

async function count(sql: Sql, market: Market, step: number): Promise<{ marks: number; ms: number }> {
  const lease = await postgresLeases(sql).acquire(MARKET_JOB, 600);
  if (!lease) throw new Error('the lease is taken');
  let marks = 0;
  const ms = await timed(async () => {
    for (let more = 1; more > 0; marks += more) more = (await market.fold(lease.fence, step)) ?? 0;
  });
  await postgresLeases(sql).release(MARKET_JOB, lease.fence, {});
  return { marks, ms };
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const listings = values.quick ? 20_000 : 1_000_000;
const rounds = values.quick ? 20 : 200;
const postgres = await startPostgres();
try {
  const sql = openPg({ url: postgres.url });
  await migrate(sql);
  await fill(postgres.url, listings);
  const market = postgresMarket(sql);
  const watch = new Stopwatch(sql);
  const watched = postgresMarket(watch.sql);
  const all = await count(sql, market, 250);
  print(`${listings} listings, ${all.marks} cells counted from nothing in ${whole(all.ms)} ms\n`);

  print('Look-up, ms                                     p50      p99');
  for (const [name, filter] of KINDS)
    await measure(watch, name, rounds, () => prices(watched, { ...ANY, ...filter }));
  await measure(watch, 'comparables of a popular model', rounds, async () => {
    const near = await watched.near({ vin: '', ...POPULAR, year: 2019, mileage: 300_000 });
    return `${near.length} looked at`;
  });

  const batch = await sql.query<{ n: number }>({
    text: `with touched as (
      insert into market_dirty (make, model, model_year, truck_class)
      select make, upper(translate(model, ' -', '')), model_year, truck_class from listing_search
      where dedup_hash >= sha256('x') order by dedup_hash limit 500 returning id)
      select count(*)::int as n from touched`,
  });
  const after = await count(sql, market, 250);
  print(`\nAfter a batch of ${batch[0]?.n} anywhere: counted in ${whole(after.ms)} ms`);

  // One popular and one rare make: what is read of a kind is the same, however many kinds there are.
  await sql.query({ text: `delete from market_trends_dirty where make not in ('Make 0', 'Make 23')` });
  const lease = await postgresLeases(sql).acquire(MARKET_JOB, 600);
  let kinds = 0;
  const ms = await timed(async () => {
    while (await market.foldTrend(lease?.fence ?? 0)) kinds += 1;
  });
  print(`Trends: ${kinds} kinds of truck counted in ${whole(ms)} ms`);
  await sql.query({ text: 'analyze market_weeks' });
  const [since = ''] = lastWeeks(Date.now(), 12);
  for (const [name, kind] of [
    ['trends of a rare model', RARE],
    ['trends of a popular model', POPULAR],
    ['trends of a make', { make: 'Make 0' }],
    ['trends of everything', {}],
  ] as const)
    await measure(watch, name, rounds, async () => {
      const asked = { ...ANY, ...kind };
      const histories = await watched.histories(asked, LIVE_HISTORIES);
      return histories
        ? `${histories.length} histories`
        : `${(await watched.weeks(asked, since)).length} classes`;
    });
  await sql.close();
} finally {
  await postgres.stop();
}
