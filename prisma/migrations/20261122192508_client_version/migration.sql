-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;
