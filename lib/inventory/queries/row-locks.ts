/**
 * A CTE that bounds how long the statement waits for a row's lock, evaluated before the first row because rows are read
 * `from lock_timeout, …`.
 */
export const lockTimeout = (limit: '2s' | '5s') => `lock_timeout as materialized (
      select set_config('lock_timeout', '${limit}', true)
    )`;

/**
 * A select that locks rows, for a CTE of its own. It stands in a subquery, because a cluster loses its place in rows that
 * come from a lock and a join at once.
 */
export const locked = (select: string) => `select * from (${select}) locked`;
