CREATE TABLE "issues" (
	"account_id" text NOT NULL,
	"source" text NOT NULL,
	"subject" "bytea" NOT NULL,
	"run_no" bigint,
	"vin" text,
	"stock_number" text,
	"has_whole_vin" boolean NOT NULL,
	"dealer" text,
	"code" text NOT NULL,
	"field" text,
	"received" json,
	"fix" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"first_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "issues_pkey" PRIMARY KEY("account_id","source","subject")
);
--> statement-breakpoint
ALTER TABLE "listing_events" ADD COLUMN "run_no" bigint;--> statement-breakpoint
CREATE INDEX "issues_stock" ON "issues" USING btree ("account_id","source","stock_number") WHERE not "issues"."has_whole_vin";--> statement-breakpoint
CREATE INDEX "issues_vin" ON "issues" USING btree ("account_id","vin");--> statement-breakpoint
CREATE INDEX "issues_last_seen" ON "issues" USING btree ("last_seen_at");