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
 * Spreads the tenant tables over the workers by account, all rows of an account in one place. Copies accounts and
 * secrets to every worker, since tenant tables refer to them; keys, people and leases stay on the coordinator. A
 * repeated call distributes what a later migration added. Returns the tables that it distributed. A large table takes
 * longer than any other statement, so `sql` has no time limit then.
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
 * A transaction that ended on the coordinator may still be prepared, and unseen, on a worker. Until it ends there,
 * Citus keeps a row that this transaction wrote. `age` counts back from the newest transaction.
 */
const OLDEST_OPEN = `
  create or replace function oldest_open_transaction() returns xid8 language sql stable as $$
    select least(pg_snapshot_xmin(pg_current_snapshot()),
      (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint - max(age(xmin)) from pg_dist_transaction)::text::xid8)
  $$`;

/** Adds the homes of accounts that were made before the first distribution. */
const FILL_HOMES = 'insert into own_homes (account_id) select id from accounts on conflict do nothing';
/** On one server the view reads the accounts; on a cluster it reads `own_homes`, which is distributed. */
const SPREAD_HOMES = 'create or replace view account_homes as select account_id from own_homes';

/** The migration that sets this on the tables reaches no shard. */
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
 * Settings of a statement stay on the coordinator, but rows are locked on the workers, so these are set on all. A
 * worker that hangs accepts connections without answering: the default timeout of 30 s would block the connections of
 * all accounts.
 */
const BOUNDS = `
  select format('alter database %I set %s = %L', current_database(), name, value) as text
  from (values ('lock_timeout', '5s'), ('citus.node_connection_timeout', '1s')) as bound(name, value)`;
