ALTER TABLE "dealers" ADD COLUMN "lead_webhook_old_secret" text;--> statement-breakpoint
ALTER TABLE "dealers" ADD COLUMN "lead_webhook_old_secret_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "dealers" ADD COLUMN "lead_webhook_check" jsonb;