-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "imported_version" INTEGER,
ADD COLUMN     "migration_id" UUID;

-- AlterTable
ALTER TABLE "activities" ADD COLUMN     "imported_version" INTEGER,
ADD COLUMN     "migration_id" UUID;

-- AlterTable
ALTER TABLE "case_comments" ADD COLUMN     "imported_version" INTEGER,
ADD COLUMN     "migration_id" UUID;

-- AlterTable
ALTER TABLE "cases" ADD COLUMN     "imported_version" INTEGER,
ADD COLUMN     "migration_id" UUID;

-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "imported_version" INTEGER,
ADD COLUMN     "migration_id" UUID;

-- AlterTable
ALTER TABLE "ext_aliases" ADD COLUMN     "migration_id" UUID;

-- AlterTable
ALTER TABLE "leads" ADD COLUMN     "imported_version" INTEGER,
ADD COLUMN     "migration_id" UUID;

-- AlterTable
ALTER TABLE "opportunities" ADD COLUMN     "imported_version" INTEGER,
ADD COLUMN     "migration_id" UUID;

-- AlterTable
ALTER TABLE "products" ADD COLUMN     "imported_version" INTEGER,
ADD COLUMN     "migration_id" UUID;

-- CreateTable
CREATE TABLE "migration_changes" (
    "organization_id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "resource" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,
    "version" INTEGER,
    "before" JSONB NOT NULL,
    "aliases" TEXT[],

    CONSTRAINT "migration_changes_pkey" PRIMARY KEY ("organization_id","migration_id","resource","record_id")
);

-- CreateIndex
CREATE INDEX "migration_changes_organization_id_record_id_idx" ON "migration_changes"("organization_id", "record_id");
