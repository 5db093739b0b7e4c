-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_events_run" ON "listing_events" USING btree ("account_id","run_no","dedup_hash") WHERE "listing_events"."run_no" is not null;
