-- CreateIndex, made beside writers, so outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "migration_record_issues_organization_id_migration_id_outcom_idx";
CREATE INDEX CONCURRENTLY "migration_record_issues_organization_id_migration_id_outcom_idx" ON "migration_record_issues"("organization_id", "migration_id", "outcome", "code", "object", "id");
