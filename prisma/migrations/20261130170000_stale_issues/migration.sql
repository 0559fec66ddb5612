-- AlterTable
ALTER TABLE "migration_objects" ADD COLUMN     "has_stale_issues" BOOLEAN NOT NULL DEFAULT false;
