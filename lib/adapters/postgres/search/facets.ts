import type { Facets } from '../../../ports/search.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { FACET_KEY, FACET_PAIRS } from './facet-key.ts';

/** Most deltas folded by one statement: a second or so, and what a cut-off job loses. */
const CHUNK = 20_000;

/**
 * Folds appended deltas into the cells. One statement takes deltas away and adds them up, so that whoever reads sees
 * each of them once, however many fold and wherever they are cut off.
 */
export function postgresFacets(sql: Sql): Facets {
  return {
    async pending() {
      const rows = await sql.query<{ account_id: string }>(PENDING);
      return rows.map(({ account_id }) => account_id);
    },
    of: (accountId) => ({
      async fold() {
        const [row] = await sql.query<{ folded: number }>(FOLD, [accountId, CHUNK]);
        return row?.folded ?? 0;
      },
      async sweep() {
        const rows = await sql.query(SWEEP, [accountId]);
        return rows.length;
      },
    }),
  };
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

const FOLD: Statement = {
  role: 'job',
  text: `
    with chosen as materialized (
      select id from facet_deltas where account_id = $1 order by id limit $2 for update skip locked
    ), taken as (
      delete from facet_deltas d using chosen where d.account_id = $1 and d.id = chosen.id returning d.*
    ), kinds as (
      select ${FACET_KEY}, sum(n)::int as n from taken group by ${FACET_KEY} having sum(n) <> 0
    ), added as (
      insert into facet_cells as c (account_id, status, make, model, facet, value, n)
      select $1, k.status, k.make, level.model, pair.facet, pair.value, sum(k.n)
      from kinds k, lateral (${FACET_PAIRS}) as pair(facet, value),
        lateral (select '' as model union all select k.model where k.model <> '') level
      where pair.value <> ''
      group by 2, 3, 4, 5, 6 having sum(k.n) <> 0 order by 2, 4, 3, 5, 6
      on conflict (account_id, status, model, make, facet, value) do update set n = c.n + excluded.n
    )
    select count(*)::int as folded from taken`,
};

/** Cells that count nothing any more. */
const SWEEP: Statement = {
  role: 'job',
  // Never waits for a row: a folder that holds one is about to count in it, and waiting could end in a deadlock.
  text: `
    with empty as materialized (
      select status, model, make, facet, value from facet_cells where account_id = $1 and n = 0 for update skip locked
    )
    delete from facet_cells c using empty e
    where c.account_id = $1 and c.status = e.status and c.model = e.model and c.make = e.make and c.facet = e.facet
      and c.value = e.value
    returning 1 as one`,
};
