/** Parts of statements that queries of several concerns share. */

/**
 * The one row that account $1 has in the view `account_homes`. What is inserted takes its account from here: Citus then
 * knows the shard before it runs the statement, and sends what the insert reads to that worker alone.
 */
export const HOME = '(select account_id from account_homes where account_id = $1) home';

/** Formats a timestamp expression as answers do: UTC with milliseconds. */
export const iso = (expression: string) =>
  `to_char(${expression} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

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
export const selectLocked = (select: string) => `select * from (${select}) locked`;

/** SQL for the row of a JSON parameter, to be named with its columns: a cluster cannot tell what json_to_record returns. */
export const unpackRow = (parameter: string) => `json_to_recordset(json_build_array(${parameter}::json))`;

/*
 * Times as values of a row to update from: Citus takes no functions in CASE and COALESCE, nor ones that
 * change within a statement.
 */

/** When the transaction began. */
export const START_MOMENT = '(select now() as at) moment';
/** The moment at which the row is read. */
export const PRESENT_MOMENT = '(select clock_timestamp() as at) moment';
