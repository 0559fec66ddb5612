-- CreateTable
CREATE TABLE "files" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "resource" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "ext_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "content_type" TEXT,
    "size" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "migration_id" UUID,
    "run_number" INTEGER,

    CONSTRAINT "files_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "migration_files" (
    "organization_id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "run_number" INTEGER NOT NULL,
    "checkpoint" TEXT,
    "stored" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "left_out" JSONB NOT NULL DEFAULT '[]',
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "migration_files_pkey" PRIMARY KEY ("organization_id","migration_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "files_organization_id_record_id_ext_id_key" ON "files"("organization_id", "record_id", "ext_id");

-- AddForeignKey
ALTER TABLE "migration_files" ADD CONSTRAINT "migration_files_organization_id_migration_id_fkey" FOREIGN KEY ("organization_id", "migration_id") REFERENCES "migrations"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
