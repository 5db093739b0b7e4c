ALTER TABLE "people" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "by_code" boolean DEFAULT false NOT NULL;