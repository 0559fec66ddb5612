-- DropIndex, beside writers, so outside a transaction. Purges go by the primary keys. Those of the release before this
-- one go by these times: while it runs, each reads its table whole, and deletes the same rows as before.
DROP INDEX CONCURRENTLY IF EXISTS "webhook_deliveries_created_at_idx";
DROP INDEX CONCURRENTLY IF EXISTS "webhook_attempts_attempted_at_idx";
