-- Of an account that came after the last ANALYZE the planner believes, by the statistics of those before it, that it has no
-- rows, and reads all it has wherever it should look a few up. Without statistics every account has its share of a table.
-- On a cluster this reaches the coordinator alone: npm run distribute does it to the shards.
SET LOCAL citus.enable_ddl_propagation TO off;--> statement-breakpoint
ALTER TABLE "key_usage" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "owner_alerts" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "ended_alerts" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "dealers" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "listings" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "listing_search" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "listing_words" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "facet_cells" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "listing_events" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "image_sources" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "stored_images" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "conversations" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "messages" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "leads" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "lead_updates" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "lead_deliveries" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "lead_destinations" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "feeds" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "feed_runs" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "feed_chunks" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "feed_missing" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "feed_rejects" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "issues" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "uploads" ALTER COLUMN "account_id" SET STATISTICS 0;
