import { expect, test } from 'vitest';
import type { Sql, Statement } from '../../../lib/db/sql.ts';
import { bundledGeocoder } from '../../../lib/outside/geocoder/gazetteer.ts';
import { findPage, readMoment, readNames } from '../../../lib/search/queries/find.ts';
import { wordVector } from '../../../lib/search/queries/search-conditions.ts';
import type { SearchInput } from '../../../lib/search/schemas.ts';
import { readByNames, searchFilters } from '../../../lib/search/search-filters.ts';
import { type Pick, SEARCH_KINDS } from '../../../scripts/bench/search/search-kinds.ts';
import { suiteDatabase } from '../../support/postgres/suite-database.ts';

/** No search reads a row of another account, however few its own are. */

/** A seller of ten trucks, and one that has a fifth of the whole table. */
const OWN: Record<string, number> = { acc_plan_small_0000000000a1: 10, acc_plan_large_0000000000b2: 4_000 };
const OTHERS = 'acc_plan_other_';

const { sql } = await suiteDatabase();
const write = (text: string) => sql.query({ text, timeout: 'job' });

async function fill(account: string, listings: number): Promise<void> {
  const truck = `select ${account} as account, sha256(convert_to(${account} || n, 'UTF8')) as hash, n,
      (array['Freightliner', 'Kenworth', 'Ford', 'Mack', 'Hino'])[1 + n % 5] as make from numbers`;
  const numbers = `with numbers as (select n from generate_series(1, ${listings}) n), truck as (${truck})`;
  await write(`${numbers}
    insert into listing_search (account_id, dedup_hash, vin, status, make, model, model_year, truck_class, body_type,
      condition, fuel_type, price, mileage, dealer, state, latitude, longitude, quality, has_images, updated_at)
    select account, hash, 'V' || n, 'available', make, 'M' || n % 9, 2010 + n % 15, 'class_' || 3 + n % 6, 'dump', 'used',
      'diesel', 20000 + n % 100 * 1000, n % 500 * 1000, 'dealer-' || n % 7, 'TX', 26 + n % 20, -120 + n % 45, n % 100,
      true, now() - n * interval '1 minute' from truck`);
  const words = `lower(make || ' white isx15 diesel u' || n)`;
  await write(`${numbers}
    insert into listing_words (account_id, dedup_hash, words_source, words)
    select account, hash, ${words}, ${wordVector('account', words)} from truck`);
}

for (const [account, listings] of Object.entries(OWN)) await fill(`'${account}'`, listings);
await fill(`'${OTHERS}' || lpad((n % 200)::text, 12, '0')`, 16_000);
for (const table of ['listing_search', 'listing_words']) await write(`analyze ${table}`);
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

interface Scan {
  node: string;
  /** Of the index, or of the table where it is read by itself. */
  name: string;
  rows: number;
}

/** What a plan reads, and how many rows of it, those that are then left out included. */
function listScans(plan: Plan): Scan[] {
  const { 'Relation Name': table, 'Index Name': index, 'Actual Loops': loops } = plan;
  const rows =
    plan['Actual Rows'] +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0);
  const scan = { node: plan['Node Type'], name: index ?? table ?? '', rows: rows * loops };
  const isOurs = scan.name.startsWith('listing_');
  return [...(isOurs ? [scan] : []), ...(plan.Plans ?? []).flatMap(listScans)];
}

/** The scans that read more rows than an account has, or use the market's index, whose other rows no plan counts. */
const strayScans = (scans: readonly Scan[], ownCount: number) =>
  scans.filter(
    ({ node, name, rows }) => node === 'Seq Scan' || name === 'listing_search_market' || rows > ownCount + 1,
  );

async function explain(on: Sql, { text }: Statement, params: readonly unknown[]): Promise<Scan[]> {
  const [row] = await on.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    { text: `explain (analyze, timing off, format json) ${text}`, timeout: 'job' },
    params,
  );
  if (!row) throw new Error('no plan');
  return listScans(row['QUERY PLAN'][0].Plan);
}

/** Explains every statement on the way. */
function explaining(real: Sql, scans: Scan[]): Sql {
  return {
    ...real,
    transactional: real.transactional,
    close: () => real.close(),
    query: async (statement, params = []) => {
      if (statement.text.includes('listing_')) scans.push(...(await explain(real, statement, params)));
      return real.query({ ...statement, timeout: 'job' }, params);
    },
    transaction: (work, role) => real.transaction((bound) => work(explaining(bound, scans)), role),
  };
}

/** What a search of an account reads. */
async function scanFor(account: string, input: SearchInput): Promise<Scan[]> {
  const scans: Scan[] = [];
  const db = explaining(sql, scans);
  const { newest } = await readMoment(sql);
  const reading = readByNames(input, await readNames(db, account));
  const filters = await searchFilters(input, reading, bundledGeocoder(), newest);
  const request = { filters, sort: input.sort ?? 'newest', after: null, limit: 10, facets: true } as const;
  await findPage(db, account, request);
  return scans;
}

/** Each value in turn. */
function inTurn(): Pick {
  let at = 0;
  return (values) => values[at++ % values.length] as (typeof values)[number];
}

test.each(SEARCH_KINDS.map(({ name, query }) => [name, query] as const))('%s', async (_, query) => {
  const pick = inTurn();
  for (const [account, ownCount] of Object.entries(OWN)) {
    for (let round = 0; round < 3; round += 1)
      expect(strayScans(await scanFor(account, query(pick)), ownCount), account).toEqual([]);
  }
});

test.each([
  `select from listing_search s where s.account_id || '' = $1`,
  `select from listing_search s where s.mileage between 0 and 50000 and s.account_id = any(array[$1, '${OTHERS}000000000001'])`,
  `select from listing_search s where s.market_level = 0 and s.account_id = $1 and s.status = 'available' and s.make = 'Ford'
    and s.model_year > 2020`,
  `select from listing_words w where w.words @@ '000000a1white | 00000001white'::tsquery and $1 <> ''`,
])('planted: a statement that reads other accounts is found: %s', async (text) => {
  expect(strayScans(await explain(sql, { text }, ['acc_plan_small_0000000000a1']), 10)).not.toEqual([]);
});
