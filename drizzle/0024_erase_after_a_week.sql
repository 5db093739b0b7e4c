ALTER TABLE "accounts" ADD COLUMN "operator_suspended" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "erase_at" timestamp with time zone;