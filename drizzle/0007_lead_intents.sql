ALTER TABLE "lead_updates" ADD COLUMN "intent" text;--> statement-breakpoint
ALTER TABLE "lead_updates" ADD COLUMN "details" json;--> statement-breakpoint
ALTER TABLE "lead_updates" ADD COLUMN "marketing" json;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "intent" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "details" json;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "marketing" json;