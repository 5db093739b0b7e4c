DROP INDEX "image_sources_due";--> statement-breakpoint
DROP INDEX "lead_deliveries_due";--> statement-breakpoint
CREATE INDEX "image_sources_queue" ON "image_sources" USING btree ("account_id","due_at") WHERE "image_sources"."status" = 'pending' and "image_sources"."claims" = 0;--> statement-breakpoint
CREATE INDEX "lead_deliveries_queue" ON "lead_deliveries" USING btree ("kind","account_id","dealer","due_at") WHERE "lead_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "lead_deliveries_leased" ON "lead_deliveries" USING btree ("leased_until") WHERE "lead_deliveries"."status" = 'pending' and "lead_deliveries"."leased_until" is not null;