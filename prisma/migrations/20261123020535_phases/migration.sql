-- AlterTable
ALTER TABLE "migration_objects" ADD COLUMN     "in_run" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "phase" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "read_until" TIMESTAMPTZ(3);
