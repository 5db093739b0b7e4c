CREATE TABLE "jobs" (
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp with time zone,
	"token" integer DEFAULT 0 NOT NULL,
	"payload" json,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "jobs_pkey" PRIMARY KEY("account_id","kind","key")
);
--> statement-breakpoint
DROP INDEX "owner_alerts_due";--> statement-breakpoint
DROP INDEX "dealers_moved";--> statement-breakpoint
DROP INDEX "feed_runs_due";--> statement-breakpoint
DROP INDEX "feeds_due";--> statement-breakpoint
DROP INDEX "image_sources_settled";--> statement-breakpoint
DROP INDEX "image_sources_claimed";--> statement-breakpoint
DROP INDEX "lead_deliveries_leased";--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("account_id","kind","due_at");
--> statement-breakpoint
-- What waits in the queues of the release before. What that release still enqueues meanwhile, the hourly sweep finds.
INSERT INTO "jobs" ("account_id", "kind", "key", "due_at")
SELECT "account_id", 'feed', "id", "next_run_at" FROM "feeds" WHERE "enabled" AND "next_run_at" IS NOT NULL;--> statement-breakpoint
INSERT INTO "jobs" ("account_id", "kind", "key", "due_at")
SELECT "account_id", 'feed', "feed_id", "due_at" FROM "feed_runs" WHERE "status" IN ('queued', 'running')
ON CONFLICT ("account_id", "kind", "key") DO UPDATE SET "due_at" = excluded."due_at";--> statement-breakpoint
INSERT INTO "jobs" ("account_id", "kind", "key", "due_at", "tries", "created_at")
SELECT "account_id", CASE WHEN "suspicious" THEN 'flagged' ELSE "kind" END, "lead_id" || '.' || "update_n" || '.' || "kind",
  "due_at", "attempts", "created_at" FROM "lead_deliveries" WHERE "status" = 'pending';--> statement-breakpoint
INSERT INTO "jobs" ("account_id", "kind", "key")
SELECT DISTINCT "account_id", 'photos', encode("hash", 'hex') FROM "image_sources", unnest("waiting") AS "hash";--> statement-breakpoint
INSERT INTO "jobs" ("account_id", "kind", "key", "due_at")
SELECT "account_id", 'alert', "kind", "due_at" FROM "owner_alerts" WHERE "due_at" IS NOT NULL;--> statement-breakpoint
INSERT INTO "jobs" ("account_id", "kind", "key")
SELECT "account_id", 'dealer', "slug" FROM "dealers" WHERE "moved_at" IS DISTINCT FROM "followed_at";--> statement-breakpoint
-- As 0020 has it: of an account that came after the last ANALYZE the planner would believe that it has no rows.
SET LOCAL citus.enable_ddl_propagation TO off;--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "account_id" SET STATISTICS 0;
