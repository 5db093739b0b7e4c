CREATE TABLE "feed_members" (
	"account_id" text NOT NULL,
	"feed_id" text NOT NULL,
	"dedup_hash" "bytea" NOT NULL,
	"part" integer,
	"run_no" bigint NOT NULL,
	"misses" integer NOT NULL,
	CONSTRAINT "feed_members_pkey" PRIMARY KEY("account_id","dedup_hash","feed_id")
);
--> statement-breakpoint
CREATE TABLE "feed_parts" (
	"account_id" text NOT NULL,
	"feed_id" text NOT NULL,
	"part" integer NOT NULL,
	"digest" text,
	"rows" integer NOT NULL,
	CONSTRAINT "feed_parts_pkey" PRIMARY KEY("account_id","feed_id","part")
);
--> statement-breakpoint
CREATE INDEX "feed_members_part" ON "feed_members" USING btree ("account_id","part","feed_id");--> statement-breakpoint
-- As 0020 has it: of an account that came after the last ANALYZE the planner would believe that it has no rows.
SET LOCAL citus.enable_ddl_propagation TO off;--> statement-breakpoint
ALTER TABLE "feed_members" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
ALTER TABLE "feed_parts" ALTER COLUMN "account_id" SET STATISTICS 0;--> statement-breakpoint
-- What the newest run of a feed found is in its parts; what only earlier ones did, in none.
INSERT INTO "feed_members" ("account_id", "feed_id", "dedup_hash", "part", "run_no", "misses")
SELECT "account_id", "feed_id", "hash", max("chunk" + 1) FILTER (WHERE "run_no" = "newest"), min("run_no"), 0
FROM (SELECT *, max("run_no") OVER (PARTITION BY "account_id", "feed_id") AS "newest" FROM "feed_chunks") AS "found",
  unnest("hashes") AS "hash"
GROUP BY "account_id", "feed_id", "hash";--> statement-breakpoint
INSERT INTO "feed_members" ("account_id", "feed_id", "dedup_hash", "run_no", "misses")
SELECT "account_id", "feed_id", "dedup_hash", "run_no", "misses" FROM "feed_missing"
ON CONFLICT ("account_id", "dedup_hash", "feed_id") DO UPDATE SET "misses" = excluded."misses"
WHERE "feed_members"."part" IS NULL;--> statement-breakpoint
DELETE FROM "feed_chunks";--> statement-breakpoint
DELETE FROM "feed_missing";--> statement-breakpoint
-- A run that the release before is reading a file for starts over.
DELETE FROM "feed_rejects" USING "feed_runs"
WHERE "feed_rejects"."account_id" = "feed_runs"."account_id" AND "feed_rejects"."run_id" = "feed_runs"."id"
  AND "feed_runs"."status" = 'running' AND "feed_runs"."phase" = 'ingest';--> statement-breakpoint
UPDATE "feed_runs" SET "phase" = 'fetch', "fence" = "fence" + 1, "claims" = 0, "state" = '{}', "rows" = 0, "created" = 0,
  "merged" = 0, "unchanged" = 0, "rejected" = 0, "rejects_by_code" = '{}'
WHERE "status" = 'running' AND "phase" = 'ingest';
