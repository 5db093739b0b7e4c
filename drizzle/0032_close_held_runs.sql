ALTER TABLE "feed_runs" DROP CONSTRAINT "feed_runs_status";--> statement-breakpoint
ALTER TABLE "feed_runs" ADD CONSTRAINT "feed_runs_status" CHECK ("feed_runs"."status" in ('queued', 'running', 'succeeded', 'unchanged', 'held', 'failed', 'closed'));--> statement-breakpoint
UPDATE "feed_runs" h SET "status" = 'closed' FROM "feed_runs" r WHERE h."status" = 'held' AND r."account_id" = h."account_id" AND r."feed_id" = h."feed_id" AND r."no" > h."no" AND (r."status" NOT IN ('queued', 'running', 'failed') OR r."rows" > 0);
