import { useStore } from './store.ts';

/** Asks the worker's database directly, to see what the service left in it. */
export async function queryRows<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
  const { sql } = await useStore();
  return sql.query<Row>({ text }, params);
}

/** As if time had passed: the account's jobs are due, also those of dead workers. */
export const makeJobsDue = (accountId: string) =>
  queryRows('update jobs set due_at = now(), leased_until = null where account_id = $1', [accountId]);

/** As if these images had been tried so long ago. */
export const setImages = (accountId: string, urls: readonly string[], status: string, age = '0 s') =>
  queryRows(
    `insert into image_sources (account_id, url_hash, url, host, status, reason, updated_at)
     select $1, sha256(convert_to(url, 'UTF8')), url, '', $2, 'http_404', now() - $3::interval
     from json_array_elements_text($4::json) as named(url)
     on conflict (account_id, url_hash) do update set status = excluded.status, reason = excluded.reason,
       updated_at = excluded.updated_at`,
    [accountId, status, age, JSON.stringify(urls)],
  );

/** What Postgres knows of the physical rows of an account's listing: any write, even of the same values, shows. */
export async function readTrace(accountId: string, vin: string): Promise<unknown[]> {
  return queryRows(
    `select l.xmin::text, l.ctid::text, l.version, s.xmin::text as s_xmin, s.ctid::text as s_ctid,
      (select count(*)::int from listing_events e where e.account_id = l.account_id and e.dedup_hash = l.dedup_hash)
        as events
    from listings l join listing_search s on s.account_id = l.account_id and s.dedup_hash = l.dedup_hash
    where l.account_id = $1 and l.vin = $2 order by l.dedup_hash`,
    [accountId, vin],
  );
}

/** How many rows of any table of the service contain this text. */
export async function tablesContaining(text: string): Promise<string[]> {
  const tables = await queryRows<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
  );
  const names: string[] = [];
  for (const { name } of tables) {
    const rows = await queryRows(`select 1 from ${name} t where position($1 in t::text) > 0 limit 1`, [text]);
    if (rows.length > 0) names.push(name);
  }
  return names;
}
