CREATE TABLE "uploads" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"content" "bytea" NOT NULL,
	"result" json,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "uploads_pkey" PRIMARY KEY("account_id")
);
