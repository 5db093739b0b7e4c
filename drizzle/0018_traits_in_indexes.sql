-- outside a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_search_by_price" ON "listing_search" USING btree ("account_id","price","dedup_hash","model_year","condition","truck_class","has_images");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_search_by_mileage" ON "listing_search" USING btree ("account_id","mileage","dedup_hash","model_year","condition");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_search_by_year" ON "listing_search" USING btree ("account_id","model_year","dedup_hash","price","condition");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_search_traits" ON "listing_search" USING btree ("account_id","dealer","state","condition","truck_class","body_type","fuel_type");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_price";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_mileage";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_year";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "listing_search_dealer";
