import type { Facets } from '../../../ports/search.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { FACET_KEY, FACET_PAIRS, facetKey } from './facet-key.ts';

/** Accounts with more listings than this have cells; those with fewer are counted as fast without. */
const CELLS_FROM = 20_000;
/** Most changes folded by one statement: a second or so, and what a cut-off job loses. */
const CHUNK = 20_000;

/**
 * Folds appended changes into the cells, one fold of an account at a time. Each fold is one statement that takes the
 * changes of its snapshot and counts them, so that whoever reads sees each of them once, wherever a job is cut off.
 */
export function postgresFacets(sql: Sql, cellsFrom: number = CELLS_FROM): Facets {
  return {
    async pending() {
      const rows = await sql.query<{ account_id: string }>(sql.isDistributed ? PENDING_OF_CLUSTER : PENDING);
      return rows.map(({ account_id }) => account_id);
    },
    of: (accountId) => ({
      fold: () =>
        sql.transaction(async (bound) => {
          if (sql.isDistributed && !sql.transactional) await bound.query(ONE_SNAPSHOT);
          return fold(bound, accountId, cellsFrom);
        }, 'job'),
      async sweep() {
        const rows = await sql.query(SWEEP, [accountId]);
        return rows.length;
      },
    }),
  };
}

/** An account that has grown is counted whole, once; one that is small needs no cells, and its changes are dropped. */
async function fold(sql: Sql, accountId: string, cellsFrom: number): Promise<number> {
  const [lock] = await sql.query<{ locked: boolean }>(LOCK, [accountId]);
  if (!lock?.locked) return 0;
  const [size] = await sql.query<{ has_cells: boolean; listings: number }>(SIZE, [accountId, cellsFrom + 1]);
  const isLarge = (size?.listings ?? 0) > cellsFrom;
  const run = (statement: Statement, params: unknown[]) => sql.query<{ folded: number }>(statement, params);
  const [taken] =
    !size?.has_cells && isLarge
      ? await run(COUNT, [accountId])
      : await run(size?.has_cells ? FOLD : FORGET, [accountId, CHUNK]);
  return taken?.folded ?? 0;
}

/** Accounts with something to fold: one index probe each. */
const PENDING: Statement = {
  role: 'job',
  text: `
    with recursive account as (
      (select account_id from facet_deltas order by account_id limit 1)
      union all
      select (select d.account_id from facet_deltas d where d.account_id > account.account_id
        order by d.account_id limit 1) from account where account.account_id is not null
    )
    select account_id from account where account_id is not null`,
};

const PENDING_OF_CLUSTER: Statement = { role: 'job', text: 'select distinct account_id from facet_deltas' };

/** A cluster runs the parts of a statement one after the other. */
const ONE_SNAPSHOT: Statement = { text: 'set transaction isolation level repeatable read' };

/** In a statement of its own: the next one then sees what the last transaction under the lock wrote. */
const LOCK: Statement = {
  role: 'job',
  text: `select pg_try_advisory_xact_lock(hashtextextended('facets ' || $1::text, 0)) as locked`,
};

const SIZE: Statement = {
  role: 'job',
  text: `
    select exists (select 1 from facet_cells c where c.account_id = $1) as has_cells,
      (select count(*)::int from (select 1 from listing_search s where s.account_id = $1 limit $2::int) counted) as listings`,
};

const TAKE = 'delete from facet_deltas d where d.account_id = $1';
const ADD = `
      insert into facet_cells as c (account_id, status, make, model, facet, value, n)
      select $1, k.status, k.make, level.model, pair.facet, pair.value, sum(k.n)
      from kinds k, lateral (${FACET_PAIRS}) as pair(facet, value),
        lateral (select '' as model union all select k.model where k.model <> '') level
      where pair.value <> ''
      group by 2, 3, 4, 5, 6 having sum(k.n) <> 0 order by 2, 4, 3, 5, 6`;

const FOLD: Statement = {
  role: 'job',
  text: `
    with taken as (
      ${TAKE} and d.id in (select id from facet_deltas where account_id = $1 order by id limit $2) returning d.*
    ), kinds as (
      select ${FACET_KEY}, sum(n)::int as n from taken group by ${FACET_KEY} having sum(n) <> 0
    ), added as (${ADD}
      on conflict (account_id, status, model, make, facet, value) do update set n = c.n + excluded.n
    )
    select count(*)::int as folded from taken`,
};

/** The changes of this statement's snapshot are in the listings of the same snapshot, and all others in neither. */
const COUNT: Statement = {
  role: 'job',
  text: `
    with taken as (
      ${TAKE} returning d.id
    ), kinds as (
      select ${facetKey('s')}, 1 as n from listing_search s where s.account_id = $1
    ), added as (${ADD})
    select count(*)::int as folded from taken`,
};

const FORGET: Statement = {
  role: 'job',
  text: `
    with taken as (
      ${TAKE} and d.id in (select id from facet_deltas where account_id = $1 order by id limit $2) returning d.id
    )
    select count(*)::int as folded from taken`,
};

/** Cells that count nothing any more. */
const SWEEP: Statement = {
  role: 'job',
  // Never waits for a row: a fold that holds one is about to count in it, and waiting could end in a deadlock.
  text: `
    with empty as materialized (
      select status, model, make, facet, value from facet_cells where account_id = $1 and n = 0 for update skip locked
    )
    delete from facet_cells c using empty e
    where c.account_id = $1 and c.status = e.status and c.model = e.model and c.make = e.make and c.facet = e.facet
      and c.value = e.value
    returning 1 as one`,
};
