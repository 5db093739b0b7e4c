ALTER TABLE "dealers" ADD COLUMN "sms" text;--> statement-breakpoint
ALTER TABLE "dealers" ADD COLUMN "hours" jsonb;--> statement-breakpoint
ALTER TABLE "dealers" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "dealers" ADD COLUMN "reply_minutes" integer;