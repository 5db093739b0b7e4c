DROP INDEX "issues_stock";--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "left_out_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "issues_stock" ON "issues" USING btree ("account_id","stock_number") WHERE not "issues"."has_whole_vin";