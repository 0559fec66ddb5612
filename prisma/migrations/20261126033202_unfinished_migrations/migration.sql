-- CreateIndex
CREATE INDEX "migrations_unfinished_idx" ON "migrations"("id") WHERE (status IN ('analyzing', 'running', 'undoing'));

-- CreateIndex
CREATE INDEX "migrations_wakes_at_idx" ON "migrations"("wakes_at") WHERE (wakes_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "migrations_delta_next_at_idx" ON "migrations"("delta_next_at") WHERE (delta_next_at IS NOT NULL);
