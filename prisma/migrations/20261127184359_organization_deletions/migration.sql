-- CreateTable
CREATE TABLE "organization_deletions" (
    "id" UUID NOT NULL,
    "deleted_by" UUID NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_deletions_pkey" PRIMARY KEY ("id")
);
