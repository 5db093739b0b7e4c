CREATE VIEW "account_homes" AS SELECT "id" AS "account_id" FROM "accounts";
