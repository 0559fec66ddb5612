-- CreateTable
CREATE TABLE "static_files" (
    "path" TEXT NOT NULL,
    "build" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "static_files_pkey" PRIMARY KEY ("path","build")
);
