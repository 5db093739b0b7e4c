-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_search_dealer" ON "listing_search" USING btree ("account_id","dealer","status");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_by_price";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_by_mileage";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_by_year";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_quality";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_traits";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_stored";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_place";
--> statement-breakpoint
-- Compiling a statement takes longer than a search may.
do $$ begin
  execute format('alter role %I in database %I set jit = off', current_user, current_database());
exception when insufficient_privilege then
  -- There, few statements cost so much that they are compiled.
  null;
end $$;
