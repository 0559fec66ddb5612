-- AlterTable
ALTER TABLE "migration_objects" ADD COLUMN "dependency_checkpoint" TEXT;
