import { sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';

/** Types of columns and defaults that several tables share. */

/** Hexadecimal text. */
export const bytea = customType<{ data: string; driverData: Buffer | string }>({
  dataType: () => 'bytea',
  fromDriver: (bytes) => Buffer.from(bytes as Buffer).toString('hex'),
  toDriver: (hex) => `\\x${hex}`,
});
export const byteas = customType<{ data: string[] }>({ dataType: () => 'bytea[]' });
export const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
/** ISO text, UTC with milliseconds, as answers tell times. */
export const time = customType<{ data: string; driverData: Date | string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (at) => new Date(at).toISOString(),
});
export const now = sql`now()`;
export const quoteList = (values: readonly string[]) =>
  sql.raw(values.map((value) => `'${value}'`).join(', '));
