-- CreateEnum
CREATE TYPE "migration_proof_status" AS ENUM ('pending', 'done', 'failed');

-- CreateTable
CREATE TABLE "migration_proofs" (
    "organization_id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "run_number" INTEGER NOT NULL,
    "status" "migration_proof_status" NOT NULL DEFAULT 'pending',
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "objects" JSONB NOT NULL DEFAULT '{}',
    "failure" JSONB,

    CONSTRAINT "migration_proofs_pkey" PRIMARY KEY ("organization_id","migration_id")
);

-- AddForeignKey
ALTER TABLE "migration_proofs" ADD CONSTRAINT "migration_proofs_organization_id_migration_id_fkey" FOREIGN KEY ("organization_id", "migration_id") REFERENCES "migrations"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
