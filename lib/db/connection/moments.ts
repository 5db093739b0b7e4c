/**
 * Times as values of a row to update from: Citus takes no functions in CASE and COALESCE, nor ones that
 * change within a statement.
 */

/** When the transaction began. */
export const START_MOMENT = '(select now() as at) moment';
/** This very moment. */
export const PRESENT_MOMENT = '(select clock_timestamp() as at) moment';
