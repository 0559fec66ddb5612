-- AlterTable
ALTER TABLE "migration_proofs" ADD COLUMN     "read_until" TIMESTAMPTZ(3);

-- What follows is written by hand. Of a proof whose migration has run again since, the moment is no longer known.
UPDATE "migration_proofs" AS p SET "read_until" = m."read_until" FROM "migrations" AS m
WHERE m."organization_id" = p."organization_id" AND m."id" = p."migration_id" AND m."run_number" = p."run_number";
