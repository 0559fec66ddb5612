-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "source_digest" BYTEA;

-- AlterTable
ALTER TABLE "activities" ADD COLUMN     "source_digest" BYTEA;

-- AlterTable
ALTER TABLE "case_comments" ADD COLUMN     "source_digest" BYTEA;

-- AlterTable
ALTER TABLE "cases" ADD COLUMN     "source_digest" BYTEA;

-- AlterTable
ALTER TABLE "contacts" ADD COLUMN     "source_digest" BYTEA;

-- AlterTable
ALTER TABLE "leads" ADD COLUMN     "source_digest" BYTEA;

-- AlterTable
ALTER TABLE "opportunities" ADD COLUMN     "source_digest" BYTEA;

-- AlterTable
ALTER TABLE "products" ADD COLUMN     "source_digest" BYTEA;
