-- On a cluster it is there already, spread over the workers.
CREATE TABLE IF NOT EXISTS "own_homes" (
	"account_id" text NOT NULL,
	CONSTRAINT "own_homes_pkey" PRIMARY KEY("account_id"),
	CONSTRAINT "own_homes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade
);
--> statement-breakpoint
-- As 0020 has it: of an account that came after the last ANALYZE the planner would believe that it has no rows.
SET LOCAL citus.enable_ddl_propagation TO off;--> statement-breakpoint
ALTER TABLE "own_homes" ALTER COLUMN "account_id" SET STATISTICS 0;
