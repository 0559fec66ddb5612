-- AlterTable
ALTER TABLE "migration_files" ADD COLUMN     "searched_until" TIMESTAMPTZ(3),
ADD COLUMN     "unsearched" TEXT[] DEFAULT ARRAY[]::TEXT[];
