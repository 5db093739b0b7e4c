import { TENANT_TABLES } from '../../../drizzle/schema/tenant-tables.ts';
import type { Sql } from '../../../lib/adapters/postgres/connection/sql.ts';

const PARTITIONS = 4;

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

interface Sequence {
  made: string;
  name: string;
}

/** Makes every tenant table of a migrated, empty database one of hash partitions by account, its indexes and keys with it. */
export async function partition(sql: Sql): Promise<void> {
  const keys = await sql.query<ForeignKey>({ text: FOREIGN_KEYS }, [[...TENANT_TABLES]]);
  for (const { table, name } of keys) await run(sql, `alter table ${table} drop constraint ${name}`);
  for (const table of TENANT_TABLES) await divide(sql, table);
  for (const { table, name, definition } of keys)
    await run(sql, `alter table ${table} add constraint ${name} ${definition}`);
}

async function divide(sql: Sql, table: string): Promise<void> {
  await run(sql, `alter table ${table} rename to whole`);
  await run(sql, `create table ${table} (like whole including all) partition by hash (account_id)`);
  await run(sql, 'drop table whole');
  // Statements number rows themselves, by the name that the migrations gave.
  for (const { made, name } of await sql.query<Sequence>({ text: SEQUENCES }, [table]))
    await run(sql, `alter sequence ${made} rename to ${name}`);
  for (let part = 0; part < PARTITIONS; part++)
    await run(
      sql,
      `create table ${table}_${part} partition of ${table} for values with (modulus ${PARTITIONS}, remainder ${part})`,
    );
}

const run = (sql: Sql, text: string) => sql.query({ role: 'job', text });

const SEQUENCES = `
  select pg_get_serial_sequence($1, attname) as made, $1 || '_' || attname || '_seq' as name from pg_attribute
  where attrelid = $1::regclass and attidentity <> '' and pg_get_serial_sequence($1, attname)::regclass::text <> $1 || '_' || attname || '_seq'`;

const FOREIGN_KEYS = `
  select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint
  where contype = 'f' and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))`;
