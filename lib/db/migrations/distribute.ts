import { TENANT_TABLES } from '../../../drizzle/schema/tenant-tables.ts';
import type { Sql } from '../sql.ts';

/** Shards that the listings of all accounts are spread over: as many workers may share them. */
const SHARDS = 32;

/** The Citus extension is not in the database. */
export class NotCitus extends Error {
  override name = 'NotCitus';
  override message =
    'the database has no Citus extension: "create extension citus" on a cluster, with its workers added, comes first';
}

/**
 * Spreads the tenant tables over the workers by account, all rows of an account in one place. Accounts and secrets are copied to every
 * worker, since tenant tables refer to them; keys, people and leases stay on the coordinator. Done again it distributes
 * what a later migration added. Returns the tables that it distributed. A large table takes longer than any other statement:
 * `sql` has no time limit then.
 */
export async function distribute(sql: Pick<Sql, 'query'>, shards = SHARDS): Promise<string[]> {
  const run = <Row>(text: string, ...params: unknown[]) => sql.query<Row>({ timeout: 'job', text }, params);
  const [extension] = await run(EXTENSION);
  if (!extension) throw new NotCitus();
  const tables = await run<{ name: string }>(DISTRIBUTED);
  const distributed = new Set(tables.map(({ name }) => name));
  for (const table of COPIED) if (!distributed.has(table)) await run(REFERENCE, table);
  const missing = FIRST_TO_LAST.filter((table) => !distributed.has(table));
  for (const table of missing)
    await (table === FIRST ? run(SPREAD_FIRST, table, shards) : run(SPREAD, table, FIRST));
  await run(FILL_HOMES);
  await run(SPREAD_HOMES);
  await run(KEEP_LOCAL);
  for (const table of TENANT_TABLES) await run(WITHOUT_STATISTICS, table);
  await run(OLDEST_OPEN);
  for (const { text } of await run<{ text: string }>(BOUNDS)) await run(text);
  return missing;
}

/**
 * A transaction that is over on the coordinator may be prepared on a worker still, and is not seen there yet. Citus keeps a
 * row of it until it has seen the end of it: the row's own transaction is the one it is about. `age` counts from the newest
 * one on.
 */
const OLDEST_OPEN = `
  create or replace function oldest_open_transaction() returns xid8 language sql stable as $$
    select least(pg_snapshot_xmin(pg_current_snapshot()),
      (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint - max(age(xmin)) from pg_dist_transaction)::text::xid8)
  $$`;

/** Of accounts that a release made which knew no cluster. */
const FILL_HOMES = 'insert into own_homes (account_id) select id from accounts on conflict do nothing';
/** One server has the account itself; `own_homes` is spread like the rest. */
const SPREAD_HOMES = 'create or replace view account_homes as select account_id from own_homes';

/** The migration that does it to the tables reaches no shard. */
const WITHOUT_STATISTICS = `select run_command_on_placements($1, 'alter table %s alter account_id set statistics 0')`;

/** Tenant tables refer to these, or their statements do. */
const COPIED = ['accounts', 'secrets'];
const FIRST = 'dealers';
/** A table that refers to another comes after it. */
const LAST = 'lead_deliveries';
const FIRST_TO_LAST: readonly string[] = [
  FIRST,
  ...TENANT_TABLES.filter((table) => table !== FIRST && table !== LAST),
  LAST,
];

const EXTENSION = `select 1 from pg_extension where extname = 'citus'`;
const DISTRIBUTED = 'select logicalrelid::regclass::text as name from pg_dist_partition';
const REFERENCE = 'select create_reference_table($1)';
const SPREAD_FIRST = `select create_distributed_table($1, 'account_id', shard_count => $2::int)`;
const SPREAD = `select create_distributed_table($1, 'account_id', colocate_with => $2)`;
/** Citus knows the local tables that refer to accounts; this one is written together with them. */
const KEEP_LOCAL = `
  select citus_add_local_table_to_metadata(t.oid::regclass) from pg_class t
  where t.oid = 'sign_in_codes'::regclass and t.oid not in (select logicalrelid from pg_dist_partition)`;
/**
 * What a statement sets itself stays on the coordinator, and rows are locked on the workers, which get this as well. A worker
 * that hangs takes connections without answering: waiting for it by default, 30 s, would keep those of all accounts.
 */
const BOUNDS = `
  select format('alter database %I set %s = %L', current_database(), name, value) as text
  from (values ('lock_timeout', '5s'), ('citus.node_connection_timeout', '1s')) as bound(name, value)`;
