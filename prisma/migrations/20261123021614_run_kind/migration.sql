-- CreateEnum
CREATE TYPE "migration_run_kind" AS ENUM ('full', 'delta', 'retry');

-- AlterTable
ALTER TABLE "migrations" ADD COLUMN     "run_kind" "migration_run_kind" NOT NULL DEFAULT 'full';
