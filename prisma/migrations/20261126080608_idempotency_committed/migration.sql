-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "committed" BOOLEAN NOT NULL DEFAULT false;
