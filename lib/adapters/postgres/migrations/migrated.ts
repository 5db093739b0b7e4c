import type { Sql } from '../connection/sql.ts';

/** Off the platform nobody migrates beforehand: the first use brings the schema up to date, then gets out of the way. */
export function migrated(sql: Sql): Sql {
  let ready: Promise<unknown> | undefined;
  const prepare = () => {
    ready ??= import('./migrate.ts')
      .then(({ migrate }) => migrate(sql))
      .catch((error: unknown) => {
        ready = undefined;
        throw error;
      });
    return ready;
  };
  return {
    ...sql,
    async query(statement, params) {
      await prepare();
      return sql.query(statement, params);
    },
    async transaction(work, role) {
      await prepare();
      return sql.transaction(work, role);
    },
  };
}
