-- AlterTable
ALTER TABLE "deleted_records" ADD COLUMN     "migration_id" UUID;

-- AlterTable
ALTER TABLE "migration_objects" ADD COLUMN     "are_deletions_done" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "carried" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "deleted" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "migrations" ADD COLUMN     "delta_every_minutes" INTEGER,
ADD COLUMN     "delta_next_at" TIMESTAMPTZ(3);
