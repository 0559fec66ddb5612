-- CreateEnum
CREATE TYPE "migration_event" AS ENUM ('analyzed', 'analysis_failed', 'run_started', 'object_finished', 'waiting', 'went_on', 'worker_replaced', 'paused', 'resumed', 'reconnected', 'completed', 'completed_with_errors', 'failed', 'cancelled', 'delta_scheduled', 'delta_unscheduled', 'delta_refused', 'undo_started', 'undo_failed', 'undone');

-- AlterTable
ALTER TABLE "migrations" ADD COLUMN     "worker_id" UUID;

-- CreateTable
CREATE TABLE "migration_history" (
    "organization_id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "event" "migration_event" NOT NULL,
    "run_number" INTEGER NOT NULL,
    "run_kind" "migration_run_kind" NOT NULL,
    "user_id" UUID,
    "object" TEXT,
    "details" JSONB,

    CONSTRAINT "migration_history_pkey" PRIMARY KEY ("organization_id","migration_id","id")
);

-- AddForeignKey
ALTER TABLE "migration_history" ADD CONSTRAINT "migration_history_organization_id_migration_id_fkey" FOREIGN KEY ("organization_id", "migration_id") REFERENCES "migrations"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
