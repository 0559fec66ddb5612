-- CreateTable
CREATE TABLE "waiting_links" (
    "organization_id" UUID NOT NULL,
    "resource" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "object" TEXT NOT NULL,
    "source_field" TEXT NOT NULL,
    "column_name" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "target_ext_id" TEXT NOT NULL,

    CONSTRAINT "waiting_links_pkey" PRIMARY KEY ("organization_id","resource","record_id","source_field")
);

-- CreateIndex
CREATE INDEX "waiting_links_organization_id_target_target_ext_id_idx" ON "waiting_links"("organization_id", "target", "target_ext_id");
