import pg from 'pg';
import { DatabaseDown } from '../../../lib/db/connection/errors.ts';
import { openPg } from '../../../lib/db/connection/pool.ts';
import { migrate } from '../../../lib/db/migrations/migrate.ts';
import type { Sql } from '../../../lib/db/sql.ts';
import { bundledGeocoder } from '../../../lib/outside/geocoder/gazetteer.ts';
import { findPage, readMoment, readNames } from '../../../lib/search/queries/find.ts';
import { readByNames, searchFilters } from '../../../lib/search/search-filters.ts';
import { fixed, median, quantile, timed } from '../numbers.ts';
import { startPostgres } from '../postgres.ts';
import { fillAccount } from './million.ts';
import { type Pick, SEARCH_KINDS } from './search-kinds.ts';

const ACCOUNT = 'acc_0123456789abcdef01234567';
/** Rounds that are run and not counted: the first find cold caches. */
const WARM_UP = 10;

/**
 * Search in an account beside `others` accounts of 1,000 listings, in a PostgreSQL with its default settings:
 * milliseconds of page, count and facets, as their client sees them.
 */
export async function benchSearch(listings: number, others: number, rounds: number): Promise<void> {
  const postgres = await startPostgres();
  try {
    const sql = openPg({ url: postgres.url });
    await migrate(sql);
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await fillAccount(client, ACCOUNT, listings, { accounts: others, listings: 1_000 });
    await client.end();
    await measure(sql, rounds);
    await sql.close();
  } finally {
    await postgres.stop();
  }
}

/** A search that was cut off counts with its time until then, as one that found nothing. */
async function measure(sql: Sql, rounds: number): Promise<void> {
  const names = await readNames(sql, ACCOUNT);
  const geocoder = bundledGeocoder();
  const pick = picker(42);
  console.log('Search, ms                                 p50      p99  found (goal 100 at p99)');
  const { newest } = await readMoment(sql);
  for (const { name, group, query } of SEARCH_KINDS) {
    const times: number[] = [];
    const counts: number[] = [];
    for (let round = -WARM_UP; round < rounds; round++) {
      const input = query(pick);
      const filters = await searchFilters(input, readByNames(input, names), geocoder, newest);
      const request = {
        filters,
        sort: input.sort ?? 'newest',
        after: null,
        limit: input.limit,
        facets: true,
      };
      let count = { value: 0, exact: false };
      const spentMs = await timed(async () => {
        try {
          count = (await findPage(sql, ACCOUNT, request)).count;
        } catch (error) {
          if (!(error instanceof DatabaseDown)) throw error;
        }
      });
      if (round < 0) continue;
      times.push(spentMs);
      counts.push(count.value);
    }
    const figures = [fixed(median(times), 1), fixed(quantile(times, 0.99), 1), median(counts)];
    console.log(`  ${`${group}: ${name}`.padEnd(36)} ${figures.join(' ')}`);
  }
}

/** Draws repeatably. */
function picker(seed: number): Pick {
  let state = seed;
  return <Value>(values: readonly Value[]) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const value = values[Math.floor((state / 2 ** 32) * values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  };
}
