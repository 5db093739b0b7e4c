CREATE EXTENSION IF NOT EXISTS btree_gin;--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text NOT NULL,
	"name" text NOT NULL,
	"tier" text NOT NULL,
	"limit_multiplier" integer DEFAULT 1 NOT NULL,
	"min_feed_cadence_minutes" integer DEFAULT 60 NOT NULL,
	"suspended" boolean DEFAULT false NOT NULL,
	"in_market" boolean DEFAULT true NOT NULL,
	"test" boolean DEFAULT false NOT NULL,
	"feeds_served_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_pkey" PRIMARY KEY("id"),
	CONSTRAINT "accounts_tier" CHECK ("accounts"."tier" in ('starter', 'pro', 'enterprise')),
	CONSTRAINT "accounts_multiplier" CHECK ("accounts"."limit_multiplier" between 1 and 100)
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text NOT NULL,
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"allowed_origins" jsonb NOT NULL,
	"name" text,
	"scopes" jsonb,
	"dealer" text,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_pkey" PRIMARY KEY("id"),
	CONSTRAINT "api_keys_hash" UNIQUE("hash"),
	CONSTRAINT "api_keys_kind" CHECK ("api_keys"."kind" in ('secret', 'publishable'))
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"request_id" text NOT NULL,
	"detail" jsonb NOT NULL,
	CONSTRAINT "audit_pkey" PRIMARY KEY("id")
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"dealer" text NOT NULL,
	"visitor_id" text NOT NULL,
	"messages" integer DEFAULT 0 NOT NULL,
	"lead_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "conversations_pkey" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "dealers" (
	"account_id" text NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"phone" text,
	"email" text,
	"website" text,
	"address" text,
	"city" text,
	"state" text,
	"zip" text,
	"lead_email" text,
	"lead_webhook_url" text,
	"lead_webhook_secret" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"moved_at" timestamp with time zone,
	"followed_at" timestamp with time zone,
	CONSTRAINT "dealers_pkey" PRIMARY KEY("account_id","slug")
);
--> statement-breakpoint
CREATE TABLE "facet_cells" (
	"account_id" text NOT NULL,
	"status" text NOT NULL,
	"make" text NOT NULL,
	"model" text NOT NULL,
	"facet" text NOT NULL,
	"value" text NOT NULL,
	"n" integer NOT NULL,
	CONSTRAINT "facet_cells_pkey" PRIMARY KEY("account_id","status","model","make","facet","value")
);
--> statement-breakpoint
CREATE TABLE "facet_deltas" (
	"account_id" text NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "facet_deltas_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"n" integer NOT NULL,
	"status" text NOT NULL,
	"make" text NOT NULL,
	"model" text NOT NULL,
	"body_type" text NOT NULL,
	"truck_class" text NOT NULL,
	"year" text NOT NULL,
	"price" text NOT NULL,
	"condition" text NOT NULL,
	"fuel_type" text NOT NULL,
	"state" text NOT NULL,
	"dealer" text NOT NULL,
	CONSTRAINT "facet_deltas_pkey" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "feed_chunks" (
	"account_id" text NOT NULL,
	"feed_id" text NOT NULL,
	"run_no" bigint NOT NULL,
	"chunk" integer NOT NULL,
	"hashes" "bytea"[] NOT NULL,
	CONSTRAINT "feed_chunks_pkey" PRIMARY KEY("account_id","feed_id","run_no","chunk")
);
--> statement-breakpoint
CREATE TABLE "feed_missing" (
	"account_id" text NOT NULL,
	"feed_id" text NOT NULL,
	"dedup_hash" "bytea" NOT NULL,
	"misses" integer NOT NULL,
	"run_no" bigint NOT NULL,
	CONSTRAINT "feed_missing_pkey" PRIMARY KEY("account_id","feed_id","dedup_hash")
);
--> statement-breakpoint
CREATE TABLE "feed_rejects" (
	"account_id" text NOT NULL,
	"run_id" text NOT NULL,
	"chunk" integer NOT NULL,
	"n" integer NOT NULL,
	"rejects" json NOT NULL,
	CONSTRAINT "feed_rejects_pkey" PRIMARY KEY("account_id","run_id","chunk")
);
--> statement-breakpoint
CREATE TABLE "feed_runs" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"feed_id" text NOT NULL,
	"no" bigint GENERATED ALWAYS AS IDENTITY (sequence name "feed_runs_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"status" text DEFAULT 'queued' NOT NULL,
	"phase" text DEFAULT 'fetch' NOT NULL,
	"released" boolean DEFAULT false NOT NULL,
	"fence" integer DEFAULT 0 NOT NULL,
	"claims" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"observed_at" timestamp with time zone,
	"rows" integer DEFAULT 0 NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"merged" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"delisted" integer DEFAULT 0 NOT NULL,
	"rejected" integer DEFAULT 0 NOT NULL,
	"rejects_by_code" json DEFAULT '{}'::json NOT NULL,
	"would_delist" integer,
	"error" json,
	"bytes" bigint,
	"sha256" text,
	"phases" json DEFAULT '{}'::json NOT NULL,
	"state" json DEFAULT '{}'::json NOT NULL,
	"raw" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "feed_runs_pkey" PRIMARY KEY("account_id","id"),
	CONSTRAINT "feed_runs_status" CHECK ("feed_runs"."status" in ('queued', 'running', 'succeeded', 'unchanged', 'held', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "feeds" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"dealer" text,
	"protocol" text NOT NULL,
	"url" text NOT NULL,
	"username" text,
	"password" text,
	"private_key" text,
	"host_key_sha256" text,
	"format" text,
	"source_provider_id" text,
	"mapping" json,
	"defaults" json DEFAULT '{}'::json NOT NULL,
	"class_from_vin" boolean DEFAULT false NOT NULL,
	"zero_price_is_call" boolean DEFAULT true NOT NULL,
	"cadence_minutes" integer DEFAULT 60 NOT NULL,
	"misses_before_delist" integer DEFAULT 1 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"file_sha256" text,
	"file_etag" text,
	"file_last_modified" text,
	"file_observed_at" timestamp with time zone,
	"reread_at" timestamp with time zone,
	"broken_file" json,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_run_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feeds_pkey" PRIMARY KEY("account_id","id"),
	CONSTRAINT "feeds_protocol" CHECK ("feeds"."protocol" in ('https', 'sftp'))
);
--> statement-breakpoint
CREATE TABLE "geocodes" (
	"place" text NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "geocodes_pkey" PRIMARY KEY("place")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"account_id" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer,
	"body" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY("account_id","key")
);
--> statement-breakpoint
CREATE TABLE "image_sources" (
	"account_id" text NOT NULL,
	"url_hash" "bytea" NOT NULL,
	"url" text NOT NULL,
	"host" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claims" integer DEFAULT 0 NOT NULL,
	"fence" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"image_hash" "bytea",
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"waiting" "bytea"[],
	CONSTRAINT "image_sources_pkey" PRIMARY KEY("account_id","url_hash"),
	CONSTRAINT "image_sources_status" CHECK ("image_sources"."status" in ('pending', 'stored', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "key_usage" (
	"account_id" text NOT NULL,
	"key_id" text NOT NULL,
	"day" date NOT NULL,
	"requests" integer NOT NULL,
	CONSTRAINT "key_usage_pkey" PRIMARY KEY("account_id","day","key_id")
);
--> statement-breakpoint
CREATE TABLE "lead_deliveries" (
	"account_id" text NOT NULL,
	"lead_id" text NOT NULL,
	"update_n" integer DEFAULT 0 NOT NULL,
	"kind" text NOT NULL,
	"dealer" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"fence" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "lead_deliveries_pkey" PRIMARY KEY("account_id","lead_id","update_n","kind"),
	CONSTRAINT "lead_deliveries_kind" CHECK ("lead_deliveries"."kind" in ('email', 'webhook')),
	CONSTRAINT "lead_deliveries_status" CHECK ("lead_deliveries"."status" in ('pending', 'delivered', 'dead'))
);
--> statement-breakpoint
CREATE TABLE "lead_destinations" (
	"account_id" text NOT NULL,
	"destination" text NOT NULL,
	"confirmed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lead_destinations_pkey" PRIMARY KEY("account_id","destination")
);
--> statement-breakpoint
CREATE TABLE "lead_sends" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "lead_sends_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"account_id" text NOT NULL,
	"dealer" text NOT NULL,
	"destination_hash" "bytea" NOT NULL,
	"confirmed" boolean NOT NULL,
	CONSTRAINT "lead_sends_pkey" PRIMARY KEY("id")
);
--> statement-breakpoint
CREATE TABLE "lead_updates" (
	"account_id" text NOT NULL,
	"lead_id" text NOT NULL,
	"n" integer NOT NULL,
	"name" text,
	"email" text,
	"phone" text,
	"message" text NOT NULL,
	"vin" text,
	"truck" json,
	"suspicious" boolean NOT NULL,
	"doubts" json NOT NULL,
	"consent" json,
	"transcript" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lead_updates_pkey" PRIMARY KEY("account_id","lead_id","n")
);
--> statement-breakpoint
CREATE TABLE "leads" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"dealer" text NOT NULL,
	"conversation_id" text NOT NULL,
	"visitor_id" text NOT NULL,
	"name" text,
	"email" text,
	"phone" text,
	"message" text NOT NULL,
	"vin" text,
	"truck" json,
	"status" text DEFAULT 'new' NOT NULL,
	"suspicious" boolean NOT NULL,
	"doubts" json NOT NULL,
	"consent" json,
	"transcript" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "leads_pkey" PRIMARY KEY("account_id","id"),
	CONSTRAINT "leads_conversation" UNIQUE("account_id","conversation_id"),
	CONSTRAINT "leads_status" CHECK ("leads"."status" in ('new', 'contacted', 'closed'))
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"job" text NOT NULL,
	"fence" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"result" jsonb,
	CONSTRAINT "leases_pkey" PRIMARY KEY("job")
);
--> statement-breakpoint
CREATE TABLE "listing_events" (
	"account_id" text NOT NULL,
	"dedup_hash" "bytea" NOT NULL,
	"version" integer NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"old_price" integer,
	"new_price" integer,
	CONSTRAINT "listing_events_pkey" PRIMARY KEY("account_id","dedup_hash","version","kind"),
	CONSTRAINT "listing_events_kind" CHECK ("listing_events"."kind" in ('created', 'changed', 'sold', 'delisted', 'vanished', 'relisted'))
);
--> statement-breakpoint
CREATE TABLE "listing_search" (
	"account_id" text NOT NULL,
	"dedup_hash" "bytea" NOT NULL,
	"vin" text NOT NULL,
	"status" text NOT NULL,
	"model_year" integer NOT NULL,
	"make" text NOT NULL,
	"model" text,
	"truck_class" text,
	"body_type" text,
	"condition" text,
	"fuel_type" text,
	"price" integer,
	"mileage" integer,
	"dealer" text,
	"state" text,
	"latitude" double precision,
	"longitude" double precision,
	"quality" integer NOT NULL,
	"has_images" boolean NOT NULL,
	"cab_kind" text,
	"market_level" integer,
	"updated_at" timestamp with time zone NOT NULL,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "listing_search_pkey" PRIMARY KEY("account_id","dedup_hash")
);
--> statement-breakpoint
CREATE TABLE "listing_words" (
	"account_id" text NOT NULL,
	"dedup_hash" "bytea" NOT NULL,
	"words_source" text NOT NULL,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "listing_words_pkey" PRIMARY KEY("account_id","dedup_hash")
);
--> statement-breakpoint
CREATE TABLE "listings" (
	"account_id" text NOT NULL,
	"dedup_hash" "bytea" NOT NULL,
	"vin" text NOT NULL,
	"source_provider_id" text NOT NULL,
	"status" text NOT NULL,
	"version" integer NOT NULL,
	"input_hash" "bytea",
	"doc" json NOT NULL,
	"record_version" text DEFAULT '' NOT NULL,
	"images" json DEFAULT '[]'::json NOT NULL,
	"price" integer,
	"dealer" text,
	"quality" json NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"feed_id" text,
	"outdated" boolean DEFAULT false NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"sold_at" timestamp with time zone,
	"delisted_at" timestamp with time zone,
	CONSTRAINT "listings_pkey" PRIMARY KEY("account_id","dedup_hash"),
	CONSTRAINT "listings_status" CHECK ("listings"."status" in ('available', 'sold', 'delisted'))
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"account_id" text NOT NULL,
	"conversation_id" text NOT NULL,
	"n" integer NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"vins" json DEFAULT '[]'::json NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_pkey" PRIMARY KEY("account_id","conversation_id","n"),
	CONSTRAINT "messages_role" CHECK ("messages"."role" in ('visitor', 'assistant'))
);
--> statement-breakpoint
CREATE TABLE "stored_images" (
	"account_id" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"original" text NOT NULL,
	"placeholder" text NOT NULL,
	"renditions" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"unused_since" timestamp with time zone,
	CONSTRAINT "stored_images_pkey" PRIMARY KEY("account_id","hash")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dealers" ADD CONSTRAINT "dealers_account_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_account_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_deliveries" ADD CONSTRAINT "lead_deliveries_lead_fk" FOREIGN KEY ("account_id","lead_id") REFERENCES "public"."leads"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_updates" ADD CONSTRAINT "lead_updates_lead_fk" FOREIGN KEY ("account_id","lead_id") REFERENCES "public"."leads"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_fk" FOREIGN KEY ("account_id","conversation_id") REFERENCES "public"."conversations"("account_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_out_of_market" ON "accounts" USING btree ("id") WHERE "accounts"."suspended" or not "accounts"."in_market";--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "api_keys_origins" ON "api_keys" USING gin ("allowed_origins") WHERE "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "audit_target" ON "audit" USING btree ("target","at");--> statement-breakpoint
CREATE UNIQUE INDEX "conversations_open" ON "conversations" USING btree ("account_id","dealer","visitor_id") WHERE "conversations"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "conversations_updated" ON "conversations" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "dealers_moved" ON "dealers" USING btree ("account_id") WHERE "dealers"."moved_at" is distinct from "dealers"."followed_at";--> statement-breakpoint
CREATE INDEX "feed_runs_feed" ON "feed_runs" USING btree ("account_id","feed_id","no");--> statement-breakpoint
CREATE UNIQUE INDEX "feed_runs_active" ON "feed_runs" USING btree ("account_id","feed_id") WHERE "feed_runs"."status" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "feed_runs_due" ON "feed_runs" USING btree ("due_at") WHERE "feed_runs"."status" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "feed_runs_raw" ON "feed_runs" USING btree ("finished_at") WHERE "feed_runs"."raw";--> statement-breakpoint
CREATE INDEX "feeds_due" ON "feeds" USING btree ("next_run_at") WHERE "feeds"."enabled";--> statement-breakpoint
CREATE INDEX "geocodes_at" ON "geocodes" USING btree ("at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "image_sources_due" ON "image_sources" USING btree ("due_at") WHERE "image_sources"."status" = 'pending' and "image_sources"."claims" = 0;--> statement-breakpoint
CREATE INDEX "image_sources_failed" ON "image_sources" USING btree ("account_id","url_hash") WHERE "image_sources"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "image_sources_settled" ON "image_sources" USING btree ("account_id") WHERE "image_sources"."status" <> 'pending' and "image_sources"."waiting" is not null;--> statement-breakpoint
CREATE INDEX "image_sources_claimed" ON "image_sources" USING btree ("due_at") WHERE "image_sources"."status" = 'pending' and "image_sources"."claims" > 0;--> statement-breakpoint
CREATE INDEX "lead_deliveries_due" ON "lead_deliveries" USING btree ("due_at") WHERE "lead_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "lead_sends_destination" ON "lead_sends" USING btree ("destination_hash","at");--> statement-breakpoint
CREATE INDEX "lead_sends_account" ON "lead_sends" USING btree ("account_id","at");--> statement-breakpoint
CREATE INDEX "leads_created" ON "leads" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "listing_search_newest" ON "listing_search" USING btree ("account_id","updated_at","dedup_hash");--> statement-breakpoint
CREATE INDEX "listing_search_changed" ON "listing_search" USING btree ("account_id","changed_xid");--> statement-breakpoint
CREATE INDEX "listing_search_price" ON "listing_search" USING btree ("account_id","price","dedup_hash");--> statement-breakpoint
CREATE INDEX "listing_search_mileage" ON "listing_search" USING btree ("account_id","mileage","dedup_hash");--> statement-breakpoint
CREATE INDEX "listing_search_year" ON "listing_search" USING btree ("account_id","model_year","dedup_hash");--> statement-breakpoint
CREATE INDEX "listing_search_quality" ON "listing_search" USING btree ("account_id","quality","dedup_hash");--> statement-breakpoint
CREATE INDEX "listing_search_make" ON "listing_search" USING btree ("account_id","make","model");--> statement-breakpoint
CREATE INDEX "listing_search_dealer" ON "listing_search" USING btree ("account_id","dealer","dedup_hash");--> statement-breakpoint
CREATE INDEX "listing_search_place" ON "listing_search" USING btree ("account_id","latitude","longitude");--> statement-breakpoint
CREATE INDEX "listing_search_market" ON "listing_search" USING btree ("status","market_level","make",(upper(translate(coalesce(model, ''), ' -._/', ''))),"model_year","truck_class","body_type","cab_kind","state","condition","fuel_type","price","mileage","account_id","vin","updated_at","dedup_hash","model") WHERE "listing_search"."market_level" is not null;--> statement-breakpoint
CREATE INDEX "listing_words_words" ON "listing_words" USING gin ("account_id","words");--> statement-breakpoint
CREATE INDEX "listings_vin" ON "listings" USING btree ("account_id","vin");--> statement-breakpoint
CREATE INDEX "listings_record_version" ON "listings" USING btree ("record_version");