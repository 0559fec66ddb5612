-- CreateIndex
CREATE INDEX "migrations_unfinished_idx" ON "migrations"("id") WHERE (status = ANY (ARRAY['analyzing'::migration_status, 'running'::migration_status, 'undoing'::migration_status]));

-- CreateIndex
CREATE INDEX "migrations_wakes_at_idx" ON "migrations"("wakes_at") WHERE (wakes_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "migrations_delta_next_at_idx" ON "migrations"("delta_next_at") WHERE (delta_next_at IS NOT NULL);
