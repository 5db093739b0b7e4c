CREATE TABLE "owner_alerts" (
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"due_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"seen_at" timestamp with time zone,
	CONSTRAINT "owner_alerts_pkey" PRIMARY KEY("account_id","kind"),
	CONSTRAINT "owner_alerts_kind" CHECK ("owner_alerts"."kind" in ('feed', 'lead', 'issues'))
);
--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "alerts" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "owner_alerts" ADD CONSTRAINT "owner_alerts_account_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "owner_alerts_due" ON "owner_alerts" USING btree ("due_at") WHERE "owner_alerts"."due_at" is not null;