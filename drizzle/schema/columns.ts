import { sql } from 'drizzle-orm';
import { customType, timestamp } from 'drizzle-orm/pg-core';

/** Types of columns and defaults that several tables share. */

export const bytea = customType<{ data: string }>({ dataType: () => 'bytea' });
export const byteas = customType<{ data: string[] }>({ dataType: () => 'bytea[]' });
export const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });
export const now = sql`now()`;
export const quoteList = (values: readonly string[]) =>
  sql.raw(values.map((value) => `'${value}'`).join(', '));
