CREATE TABLE "people" (
	"id" text NOT NULL,
	"account_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"signed_in_at" timestamp with time zone,
	CONSTRAINT "people_pkey" PRIMARY KEY("id"),
	CONSTRAINT "people_email" UNIQUE("email","account_id"),
	CONSTRAINT "people_role" CHECK ("people"."role" in ('owner', 'member'))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text NOT NULL,
	"token_hash" text NOT NULL,
	"person_id" text,
	"operator" boolean DEFAULT false NOT NULL,
	"account_id" text,
	"browser" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_pkey" PRIMARY KEY("id"),
	CONSTRAINT "sessions_token" UNIQUE("token_hash"),
	CONSTRAINT "sessions_owner" CHECK ("sessions"."operator" = ("sessions"."person_id" is null))
);
--> statement-breakpoint
CREATE TABLE "sign_in_codes" (
	"browser_hash" text NOT NULL,
	"email" text NOT NULL,
	"code_hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "sign_in_codes_pkey" PRIMARY KEY("browser_hash")
);
--> statement-breakpoint
CREATE TABLE "sign_in_links" (
	"token_hash" text NOT NULL,
	"person_id" text,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_links_pkey" PRIMARY KEY("token_hash")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "created_by" text DEFAULT 'operator' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_origin" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "account_id" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "actor" text DEFAULT 'operator' NOT NULL;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_account_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_person_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "people_account" ON "people" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sessions_person" ON "sessions" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "sessions_seen" ON "sessions" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "sign_in_codes_created" ON "sign_in_codes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sign_in_links_person" ON "sign_in_links" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "audit_account" ON "audit" USING btree ("account_id","id");