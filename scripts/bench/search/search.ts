import pg from 'pg';
import { bundledGeocoder } from '../../../lib/adapters/geocoder/gazetteer.ts';
import { DatabaseDown } from '../../../lib/adapters/postgres/connection/errors.ts';
import { openPg } from '../../../lib/adapters/postgres/connection/pool.ts';
import { migrate } from '../../../lib/adapters/postgres/migrations/migrate.ts';
import { postgresSearch } from '../../../lib/adapters/postgres/search/search.ts';
import { readByNames, searchFilters } from '../../../lib/services/search/search-filters.ts';
import { median, quantile, timed } from '../numbers.ts';
import { startPostgres } from '../postgres.ts';
import { fillAccount } from './million.ts';
import { type Pick, SEARCH_KINDS, type SearchKind } from './search-kinds.ts';

/**
 * Search in an account of 100,000 listings beside a thousand accounts of 1,000, in a real PostgreSQL with its default
 * settings: milliseconds of page, count and facets, as their client sees them. Alone: `node scripts/bench/search/search.ts`,
 * with another number of listings behind it, or with `--quick`.
 */

export interface SearchFigure extends Pick_<SearchKind, 'name' | 'group'> {
  p50: number;
  p99: number;
  /** Median of how many were found, and the share of answers that counted them exactly. */
  found: number;
  exact: number;
}
type Pick_<Of, Names extends keyof Of> = { [Name in Names]: Of[Name] };

const ACCOUNT = 'acc_0123456789abcdef01234567';
/** Rounds that are run and not counted: the first find cold caches. */
const WARM_UP = 10;

/** Fills the database behind `url`, which must be empty, and measures every kind of search. */
export async function benchSearch(
  url: string,
  size: { listings: number; rounds: number; others?: { accounts: number; listings: number } },
): Promise<SearchFigure[]> {
  const sql = openPg({ url });
  await migrate(sql);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await fillAccount(client, ACCOUNT, size.listings, size.others);
  await client.end();
  await sql.close();
  return measure(url, size.rounds);
}

/** On a filled database. A search that was cut off counts with its time until then, as one that found nothing. */
async function measure(url: string, rounds: number): Promise<SearchFigure[]> {
  const sql = openPg({ url });
  const search = postgresSearch(sql).of(ACCOUNT);
  const names = await search.names();
  const geocoder = bundledGeocoder();
  const pick = picker(42);
  const figures: SearchFigure[] = [];
  for (const { name, group, query } of SEARCH_KINDS) {
    const times: number[] = [];
    const found: number[] = [];
    let exact = 0;
    for (let round = -WARM_UP; round < rounds; round++) {
      const input = query(pick);
      const filters = await searchFilters(input, await readByNames(input, async () => names), geocoder);
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
          count = (await search.find(request)).count;
        } catch (error) {
          if (!(error instanceof DatabaseDown)) throw error;
        }
      });
      if (round < 0) continue;
      times.push(spentMs);
      found.push(count.value);
      if (count.exact) exact += 1;
    }
    figures.push({
      name,
      group,
      p50: median(times),
      p99: quantile(times, 0.99),
      found: median(found),
      exact: exact / rounds,
    });
  }
  await sql.close();
  return figures;
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

export function tellSearch(figures: readonly SearchFigure[]): void {
  console.log('Search, ms                             p50      p99       found   exact');
  for (const { name, group, p50, p99, found, exact } of figures)
    console.log(
      `  ${`${group}: ${name}`.padEnd(40)}${[p50, p99].map((ms) => ms.toFixed(1).padStart(7)).join('  ')}  ${String(found).padStart(10)}  ${`${Math.round(exact * 100)} %`.padStart(6)}`,
    );
  console.log('  goal: at most 100 at p99 with 100,000 listings');
}

if (import.meta.main) {
  const quick = process.argv.includes('--quick');
  const listings = Number(process.argv.find((each) => /^\d+$/.test(each)) ?? 100_000);
  const postgres = await startPostgres();
  try {
    tellSearch(
      await benchSearch(
        postgres.url,
        quick
          ? { listings: 20_000, rounds: 10, others: { accounts: 100, listings: 200 } }
          : { listings, rounds: 200, others: { accounts: 1_000, listings: 1_000 } },
      ),
    );
  } finally {
    await postgres.stop();
  }
}
