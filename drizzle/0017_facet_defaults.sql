ALTER TABLE "facet_deltas" ALTER COLUMN "status" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "make" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "model" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "body_type" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "truck_class" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "year" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "price" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "condition" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "fuel_type" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "state" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "facet_deltas" ALTER COLUMN "dealer" SET DEFAULT '';