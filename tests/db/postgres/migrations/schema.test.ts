import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { ACCOUNT_TABLES } from '../../../../drizzle/schema/tenant-tables.ts';

/** What the schema says, its migrations and the lists of its tables do. */

const DRIZZLE = new URL('../../../../drizzle/', import.meta.url).pathname;
const find = (pattern: string) => globSync(`${DRIZZLE}${pattern}`).sort();
const modules: object[] = await Promise.all(find('schema/*.ts').map((file) => import(file)));
const schema: Record<string, unknown> = Object.assign({}, ...modules);

test('every change of the schema has its migration; after a change, run npm run migrations', async () => {
  const last = JSON.parse(await readFile(find('meta/*_snapshot.json').at(-1) ?? '', 'utf8'));
  expect(await generateMigration(last, generateDrizzleJson(schema, last.id))).toEqual([]);
});

test('every table with rows of an account is among those that an erasure empties', () => {
  const tables = Object.values(schema).filter((value) => is(value, PgTable));
  const tenantTables = tables.filter((table) => 'account_id' in table).map((table) => getTableName(table));
  // Of a session it is the account that an operator looks at.
  expect([...ACCOUNT_TABLES, 'sessions'].sort()).toEqual(tenantTables.sort());
});
