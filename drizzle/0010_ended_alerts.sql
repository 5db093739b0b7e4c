CREATE TABLE "ended_alerts" (
	"account_id" text NOT NULL,
	"email" text NOT NULL,
	CONSTRAINT "ended_alerts_pkey" PRIMARY KEY("account_id","email")
);
--> statement-breakpoint
ALTER TABLE "ended_alerts" ADD CONSTRAINT "ended_alerts_account_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;