-- AlterTable
ALTER TABLE "migrations" ADD COLUMN     "resumed_at" TIMESTAMPTZ(3);
