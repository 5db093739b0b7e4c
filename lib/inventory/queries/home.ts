/**
 * The one row that account $1 has in the view `account_homes`. What is inserted takes its account from here: Citus then
 * knows the shard before it runs the statement, and sends what the insert reads to that worker alone.
 */
export const HOME = '(select account_id from account_homes where account_id = $1) home';
