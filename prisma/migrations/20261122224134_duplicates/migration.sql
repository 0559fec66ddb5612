-- CreateEnum
CREATE TYPE "duplicate_search_purpose" AS ENUM ('preview', 'run');

-- CreateEnum
CREATE TYPE "duplicate_search_status" AS ENUM ('reading_source', 'reading_here', 'done', 'failed');

-- CreateTable
CREATE TABLE "duplicate_searches" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "object" TEXT NOT NULL,
    "purpose" "duplicate_search_purpose" NOT NULL,
    "run_number" INTEGER NOT NULL,
    "choices" JSONB NOT NULL,
    "mapping" JSONB NOT NULL,
    "status" "duplicate_search_status" NOT NULL DEFAULT 'reading_source',
    "checkpoint" TEXT,
    "read_until" TIMESTAMPTZ(3),
    "source_records" INTEGER NOT NULL DEFAULT 0,
    "records_here" INTEGER NOT NULL DEFAULT 0,
    "clusters" INTEGER NOT NULL DEFAULT 0,
    "duplicates" INTEGER NOT NULL DEFAULT 0,
    "ignored" JSONB NOT NULL DEFAULT '[]',
    "failure" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "duplicate_searches_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "duplicate_records" (
    "organization_id" UUID NOT NULL,
    "search_id" UUID NOT NULL,
    "member" TEXT NOT NULL,
    "is_source" BOOLEAN NOT NULL,
    "record_id" UUID,
    "is_alias" BOOLEAN NOT NULL DEFAULT false,
    "modified_at" TIMESTAMPTZ(3),
    "keys" TEXT[],
    "shown" JSONB,
    "label" TEXT,
    "cluster_id" UUID,
    "rank" INTEGER,
    "rule" INTEGER,
    "outcome" TEXT,

    CONSTRAINT "duplicate_records_pkey" PRIMARY KEY ("organization_id","search_id","member")
);

-- CreateIndex
CREATE UNIQUE INDEX "duplicate_searches_organization_id_migration_id_object_purp_key" ON "duplicate_searches"("organization_id", "migration_id", "object", "purpose");

-- CreateIndex
CREATE INDEX "duplicate_records_organization_id_search_id_cluster_id_rank_idx" ON "duplicate_records"("organization_id", "search_id", "cluster_id", "rank");

-- AddForeignKey
ALTER TABLE "duplicate_searches" ADD CONSTRAINT "duplicate_searches_organization_id_migration_id_fkey" FOREIGN KEY ("organization_id", "migration_id") REFERENCES "migrations"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "duplicate_records" ADD CONSTRAINT "duplicate_records_organization_id_search_id_fkey" FOREIGN KEY ("organization_id", "search_id") REFERENCES "duplicate_searches"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
