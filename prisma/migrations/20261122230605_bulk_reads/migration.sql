-- AlterTable
ALTER TABLE "migration_objects" ADD COLUMN     "api" TEXT,
ADD COLUMN     "api_reason" TEXT,
ADD COLUMN     "bulk_job" JSONB;
