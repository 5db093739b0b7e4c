import { PgDialect } from 'drizzle-orm/pg-core';
import { PgRemoteDatabase } from 'drizzle-orm/pg-proxy';
import { PgRemoteSession } from 'drizzle-orm/pg-proxy/session';
import type { Sql, Timeout } from './sql.ts';

type Tables = Record<string, never>;

/** Throws the driver's own error, which drizzle would wrap. */
class Session extends PgRemoteSession<Tables, Tables> {
  override prepareQuery: PgRemoteSession<Tables, Tables>['prepareQuery'] = (...args) => {
    const prepared = super.prepareQuery(...args);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = (values) =>
      execute(values).catch((error) => {
        throw error.cause ?? error;
      });
    return prepared as never;
  };
}

/** Drizzle's builder on this connection or transaction, for statements that are not hot. */
export function builder(db: Sql, timeout?: Timeout): PgRemoteDatabase<Tables> {
  const dialect = new PgDialect();
  const send = async (text: string, params: unknown[]) => ({
    rows: await db.query<unknown[]>({ text, rowMode: 'array', ...(timeout ? { timeout } : {}) }, params),
  });
  return new PgRemoteDatabase(dialect, new Session(send, dialect, undefined), undefined);
}
