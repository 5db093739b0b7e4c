CREATE FUNCTION "oldest_open_transaction"() RETURNS xid8 LANGUAGE sql STABLE AS 'select pg_snapshot_xmin(pg_current_snapshot())';
