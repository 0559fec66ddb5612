-- CreateIndex, made beside writers, so outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "deleted_records_organization_id_resource_deletion_id_idx";
CREATE INDEX CONCURRENTLY "deleted_records_organization_id_resource_deletion_id_idx" ON "deleted_records"("organization_id", "resource", "deletion_id") WHERE (NOT is_part);
