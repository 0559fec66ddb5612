-- DropIndex, beside writers, so outside a transaction. Purges go by the primary keys. A release before this one reads the tables in vain until then.
DROP INDEX CONCURRENTLY IF EXISTS "webhook_deliveries_created_at_idx";
DROP INDEX CONCURRENTLY IF EXISTS "webhook_attempts_attempted_at_idx";
