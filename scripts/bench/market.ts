import pg from 'pg';
import { openPg } from '../../lib/db/connection/pool.ts';
import { migrate } from '../../lib/db/migrations/migrate.ts';
import type { Sql } from '../../lib/db/sql.ts';
import { MAX_LEVEL } from '../../lib/market/figures/market-sample.ts';
import { lastWeeks } from '../../lib/market/figures/market-weeks.ts';
import type { MarketFilter, TruckKind } from '../../lib/market/filters.ts';
import { MAX_TRUCKS } from '../../lib/market/prices.ts';
import { readOthersHistories } from '../../lib/market/queries/histories.ts';
import { findOthers, summarizeOwn } from '../../lib/market/queries/trucks.ts';
import { fixed, quantile } from './numbers.ts';
import { startPostgres } from './postgres.ts';

/**
 * Market data among the listings of 200 accounts in a PostgreSQL with its default settings: milliseconds that the server
 * takes for the statements of a look-up.
 */

const FILL = `
  insert into listing_search (account_id, dedup_hash, vin, status, make, model, model_year, truck_class, body_type,
    condition, fuel_type, price, mileage, state, quality, has_images, market_level, updated_at)
  select 'acc_' || (r1 * r1 * 200)::int, sha256(n::text::bytea), lpad(n::text, 17, '0'),
    case when r2 < 0.9 then 'available' else 'sold' end, 'Make ' || m, 'Model ' || m || '-' || (r3 * r3 * 9)::int,
    2026 - age, 'class_' || case when m < 8 then 8 - (r3 > 0.8)::int else 4 + (r3 * 3)::int end,
    (array['sleeper_tractor', 'day_cab_tractor', 'dump', 'box', 'flatbed'])[1 + (r5 * r5 * 4.99)::int],
    case when age < 2 then 'new' else 'used' end, case when r6 < 0.9 then 'diesel' else 'gasoline' end,
    case when r7 < 0.93 then (180000 * exp(-0.09 * age) * (0.6 + r1 * 0.8) * (1 + m * 0.02))::int end,
    (age * 45000 * (0.4 + r8 * 1.2))::int, chr(65 + (r6 * 6.9)::int) || chr(65 + (r8 * 6.9)::int), 60, false,
    least(${MAX_LEVEL}, floor(-ln(1 - random()) / ln(2))::int), now()
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
];

const POPULAR = { make: 'Make 0', model: 'model 0-0' };
const RARE = { make: 'Make 23', model: 'Model 23-8' };

const KINDS: readonly (readonly [name: string, filter: Partial<MarketFilter>])[] = [
  ['a popular model, five model years', { ...POPULAR, year_min: 2018, year_max: 2022 }],
  ['a popular model, class and state', { ...POPULAR, class: 'class_8', state: 'BC' }],
  ['a popular model, mileage', { ...POPULAR, mileage_min: 100_000, mileage_max: 400_000 }],
  ['a rare model', RARE],
  ['a rare model, one model year, body', { ...RARE, year_min: 2020, year_max: 2020, body_type: 'box' }],
  ['one make', { make: 'Make 1' }],
  ['one make, class, body, state', { make: 'Make 1', class: 'class_8', body_type: 'dump', state: 'AB' }],
  ['one class', { class: 'class_6' }],
  ['everything', {}],
  ['everything, mileage and condition', { mileage_max: 300_000, condition: 'used' }],
];

const TRENDS: readonly (readonly [name: string, kind: Partial<TruckKind>])[] = [
  ['trends of a rare model', RARE],
  ['trends of a popular model', POPULAR],
  ['trends of everything', {}],
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
    if (['listing_search_market', 'listing_search_make'].includes(name)) await client.query(definition);
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
  let description = '';
  for (let round = -10; round < rounds; round++) {
    watch.ms = 0;
    description = await look();
    if (round >= 0) times.push(watch.ms);
  }
  console.log(
    `  ${name.padEnd(40)} ${fixed(quantile(times, 0.5), 2)} ${fixed(quantile(times, 0.99), 2)}   ${description}`,
  );
}

/** A seller with an average stock. */
const CALLER = 'acc_60';

async function prices(db: Sql, filter: MarketFilter): Promise<string> {
  const { trucks, oneIn } = await findOthers(db, CALLER, filter, MAX_TRUCKS);
  await summarizeOwn(db, CALLER, filter);
  return `${trucks.length} looked at, one in ${oneIn}`;
}

async function trends(db: Sql, kind: TruckKind): Promise<string> {
  const since = Date.parse(lastWeeks(Date.now(), 12)[0] ?? '');
  const histories = await readOthersHistories(db, CALLER, kind, since);
  return histories.map(({ trucks, oneIn }) => `${trucks.length} histories, one in ${oneIn}`).join('; ');
}

export async function benchMarket(listings: number, rounds: number): Promise<void> {
  const postgres = await startPostgres();
  try {
    const sql = openPg({ url: postgres.url });
    await migrate(sql);
    await fill(postgres.url, listings);
    const watch = new Stopwatch(sql);
    console.log(`Look-up of the market among ${listings} listings, ms   p50      p99 (goal 50)`);
    for (const [name, filter] of KINDS) await measure(watch, name, rounds, () => prices(watch.sql, filter));
    for (const [name, kind] of TRENDS) await measure(watch, name, rounds, () => trends(watch.sql, kind));
    await sql.close();
  } finally {
    await postgres.stop();
  }
}
