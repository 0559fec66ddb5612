-- CreateTable
CREATE TABLE "migration_left_out_files" (
    "organization_id" UUID NOT NULL,
    "migration_id" UUID NOT NULL,
    "file" TEXT NOT NULL,

    CONSTRAINT "migration_left_out_files_pkey" PRIMARY KEY ("organization_id","migration_id","file")
);

-- AddForeignKey
ALTER TABLE "migration_left_out_files" ADD CONSTRAINT "migration_left_out_files_organization_id_migration_id_fkey" FOREIGN KEY ("organization_id", "migration_id") REFERENCES "migration_files"("organization_id", "migration_id") ON DELETE CASCADE ON UPDATE CASCADE;
