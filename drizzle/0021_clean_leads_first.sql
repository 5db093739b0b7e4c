-- outside a transaction
CREATE TABLE IF NOT EXISTS "ai_tokens" (
	"day" date NOT NULL,
	"tokens" bigint NOT NULL,
	CONSTRAINT "ai_tokens_pkey" PRIMARY KEY("day")
);
--> statement-breakpoint
ALTER TABLE "lead_deliveries" ADD COLUMN IF NOT EXISTS "suspicious" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "lead_sends" ADD COLUMN IF NOT EXISTS "suspicious" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "lead_deliveries_clean_first" ON "lead_deliveries" USING btree ("kind","account_id","dealer","suspicious","due_at") WHERE "lead_deliveries"."status" = 'pending';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "lead_deliveries_queue";
