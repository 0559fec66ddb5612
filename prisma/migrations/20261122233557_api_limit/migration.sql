-- AlterTable
ALTER TABLE "migrations" ADD COLUMN     "api_counted_since" TIMESTAMPTZ(3),
ADD COLUMN     "api_requests" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "wakes_at" TIMESTAMPTZ(3);
