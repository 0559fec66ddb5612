-- CreateEnum
CREATE TYPE "migration_conflict_state" AS ENUM ('open', 'decided');

-- CreateTable
CREATE TABLE "migration_conflicts" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "object" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "ext_id" TEXT NOT NULL,
    "edits" INTEGER NOT NULL,
    "ours" JSONB NOT NULL,
    "source" JSONB NOT NULL,
    "state" "migration_conflict_state" NOT NULL DEFAULT 'open',
    "taken" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "decided_by_id" UUID,

    CONSTRAINT "migration_conflicts_pkey" PRIMARY KEY ("organization_id","migration_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "migration_conflicts_organization_id_migration_id_resource_r_key" ON "migration_conflicts"("organization_id", "migration_id", "resource", "record_id");

-- AddForeignKey
ALTER TABLE "migration_conflicts" ADD CONSTRAINT "migration_conflicts_organization_id_migration_id_fkey" FOREIGN KEY ("organization_id", "migration_id") REFERENCES "migrations"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
