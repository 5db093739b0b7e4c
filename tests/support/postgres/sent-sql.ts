import { appendFileSync } from 'node:fs';
import type { Sql } from '../../../lib/db/sql.ts';
import { withoutAccount } from './sql-reader.ts';

const seen = new Map<string, boolean>();

/** The texts sent to the database so far that touch a tenant's table without naming the account. */
export const sentWithoutAccount = (): string[] =>
  [...seen].flatMap(([text, isScoped]) => (isScoped ? [] : [text]));

/** This database, whose statements are read as they are sent. */
export function readSent(sql: Sql): Sql {
  return {
    ...sql,
    query(statement, params) {
      const { text } = statement;
      if (!seen.has(text)) {
        seen.set(text, withoutAccount({ text }).length === 0);
        if (!seen.get(text)) appendFileSync('/tmp/sent.txt', `${JSON.stringify(text)}\n`);
      }
      return sql.query(statement, params);
    },
    transaction: (work, role) => sql.transaction((bound) => work(readSent(bound)), role),
  };
}
