-- AlterTable
ALTER TABLE "migration_objects" ADD COLUMN     "mapping_tag" TEXT;

-- AlterTable
ALTER TABLE "migrations" ADD COLUMN     "mapping_tags" JSONB;
