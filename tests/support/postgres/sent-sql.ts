import type { Sql } from '../../../lib/db/sql.ts';
import { withoutAccount } from './sql-reader.ts';

const statements = new Map<string, readonly string[]>();

/** Texts sent so far that touch a tenant's table without naming the account. */
export const listUnscoped = (): string[] =>
  [...statements].flatMap(([text, tables]) => (tables.length > 0 ? [text] : []));

/** This database, whose statements are read as they are sent: those of the builder exist only there. */
export function readSent(sql: Sql): Sql {
  return {
    ...sql,
    query(statement, params) {
      const { text } = statement;
      if (!statements.has(text)) statements.set(text, withoutAccount(text));
      return sql.query(statement, params);
    },
    transaction: (work, role) => sql.transaction((bound) => work(readSent(bound)), role),
  };
}
