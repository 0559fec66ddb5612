-- CreateEnum
CREATE TYPE "migration_undo_action" AS ENUM ('restore', 'delete');

-- AlterTable
ALTER TABLE "migrations" ADD COLUMN     "undo_finished_at" TIMESTAMPTZ(3),
ADD COLUMN     "undo_number" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "undo_started_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "migration_undo_steps" (
    "organization_id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "action" "migration_undo_action" NOT NULL,
    "resource" TEXT NOT NULL,
    "is_done" BOOLEAN NOT NULL DEFAULT false,
    "expected" BIGINT,
    "done" BIGINT NOT NULL DEFAULT 0,
    "kept" BIGINT NOT NULL DEFAULT 0,
    "checkpoint" UUID,
    "moved" BIGINT NOT NULL DEFAULT 0,
    "postponed" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "migration_undo_steps_pkey" PRIMARY KEY ("organization_id","migration_id","position")
);

-- CreateTable
CREATE TABLE "migration_undo_kept" (
    "organization_id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "resource" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "ext_id" TEXT,
    "code" TEXT NOT NULL,
    "by_resource" TEXT,
    "by_id" UUID,

    CONSTRAINT "migration_undo_kept_pkey" PRIMARY KEY ("organization_id","migration_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "migration_undo_kept_organization_id_migration_id_resource_r_key" ON "migration_undo_kept"("organization_id", "migration_id", "resource", "record_id");
