import type { Sql, Statement } from '../../db/sql.ts';
import { iso } from '../../inventory/queries/iso-time.ts';
import type { AccountOverview, Usage } from '../ports/usage.ts';

export function postgresUsage(sql: Sql): Usage {
  return {
    async add(calls) {
      if (calls.length > 0) await sql.query(ADD, [JSON.stringify(calls)]);
    },
    async aiTokens() {
      const [row] = await sql.query<{ tokens: number }>(AI_TOKENS);
      return row?.tokens ?? 0;
    },
    async addAiTokens(tokens) {
      const [row] = await sql.query<{ tokens: number }>(ADD_AI_TOKENS, [tokens]);
      return row?.tokens ?? 0;
    },
    sweep: async () => (await sql.query(SWEEP)).length,
    of: (accountId) => ({
      async overview() {
        const [row] = await sql.query<AccountOverview>(OVERVIEW, [accountId]);
        if (!row?.name) throw new Error('the account of a key is gone');
        return row;
      },
    }),
  };
}

const TODAY = `(now() at time zone 'utc')::date`;

/** Across accounts, each row by its own. */
const ADD: Statement = {
  text: `
    insert into key_usage as u (account_id, key_id, day, requests)
    select c."accountId", c."keyId", ${TODAY}, c.requests
    from json_to_recordset($1::json) as c("accountId" text, "keyId" text, requests int)
    order by 1, 2
    on conflict (account_id, day, key_id) do update set requests = u.requests + excluded.requests`,
};

const AI_TOKENS: Statement = { text: `select tokens::float8 from ai_tokens where day = ${TODAY}` };

const ADD_AI_TOKENS: Statement = {
  text: `
    insert into ai_tokens as t (day, tokens) values (${TODAY}, $1::bigint)
    on conflict (day) do update set tokens = t.tokens + excluded.tokens
    returning tokens::float8`,
};

/** Across all accounts. */
const SWEEP: Statement = {
  role: 'job',
  text: `/* all accounts */ delete from key_usage where day < ${TODAY} - 400 returning 1 as one`,
};

/** The account stands in subqueries: in FROM, beside the keys, a cluster asks all workers. */
const OVERVIEW: Statement = {
  role: 'ingest',
  text: `
    with counted as (
      select status, count(*)::int as n from listing_search where account_id = $1 group by status
    ), used as (
      select key_id, sum(requests)::int as month, coalesce(sum(requests) filter (where day = ${TODAY}), 0)::int as day
      from key_usage where account_id = $1 and day >= date_trunc('month', ${TODAY})::date group by key_id
    ), keys as (
      select k.id, k.name, k.prefix, coalesce(u.day, 0) as day, coalesce(u.month, 0) as month
      from api_keys k left join used u on u.key_id = k.id
      where k.account_id = $1 and (k.revoked_at is null or u.month > 0) order by k.created_at, k.id
    )
    select (select name from accounts where id = $1) as name,
      (select ${iso('created_at')} from accounts where id = $1) as created_at, json_build_object(
        'available', coalesce((select n from counted where status = 'available'), 0),
        'sold', coalesce((select n from counted where status = 'sold'), 0),
        'delisted', coalesce((select n from counted where status = 'delisted'), 0)) as listings,
      (select count(*)::int from dealers where account_id = $1) as dealers,
      (select count(*)::int from feeds where account_id = $1 and id <> 'upload') as feeds,
      (select count(*)::int from leads where account_id = $1) as leads,
      (select coalesce(sum(bytes), 0)::float8 from stored_images where account_id = $1) as photo_bytes,
      (select coalesce(json_agg(keys), '[]') from keys) as keys`,
};
