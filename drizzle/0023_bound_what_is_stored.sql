-- outside a transaction
ALTER TABLE "stored_images" ADD COLUMN IF NOT EXISTS "bytes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stored_images_bytes" ON "stored_images" USING btree ("account_id","bytes");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_search_stored" ON "listing_search" USING btree ("account_id") WHERE "listing_search"."status" <> 'delisted';
