import type { Sql } from '../connection/sql.ts';

/** Off the platform nobody migrates beforehand: the first use brings the schema up to date, then gets out of the way. */
export function migrated(sql: Sql): Sql {
  let ready: Promise<unknown> | undefined;
  let done = false;
  const prepare = () => {
    ready ??= import('./migrate.ts')
      .then(({ migrate }) => migrate(sql))
      .then(() => {
        done = true;
      })
      .catch((error: unknown) => {
        ready = undefined;
        throw error;
      });
    return ready;
  };
  return {
    transactional: false,
    isDistributed: sql.isDistributed,
    query: (statement, params) =>
      done ? sql.query(statement, params) : prepare().then(() => sql.query(statement, params)),
    transaction: (work, role) =>
      done ? sql.transaction(work, role) : prepare().then(() => sql.transaction(work, role)),
    close: () => sql.close(),
  };
}
