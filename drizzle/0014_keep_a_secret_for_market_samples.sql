CREATE TABLE "secrets" (
	"name" text NOT NULL,
	"value" "bytea" NOT NULL,
	CONSTRAINT "secrets_pkey" PRIMARY KEY("name")
);
--> statement-breakpoint
INSERT INTO "secrets" ("name", "value") VALUES
	('market_level', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));
