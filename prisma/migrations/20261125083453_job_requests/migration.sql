-- CreateTable
CREATE TABLE "job_requests" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "migration_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "job_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "job_requests_next_attempt_at_idx" ON "job_requests"("next_attempt_at");

-- CreateIndex
CREATE INDEX "job_requests_migration_id_idx" ON "job_requests"("migration_id");
