-- AlterTable
ALTER TABLE "duplicate_records" ADD COLUMN     "issue" JSONB;
