-- CreateIndex, made beside writers, so outside a transaction. Written by hand: a Prisma schema has no indexes on
-- expressions. Activities that are due on no day come last where the earliest come first. CASE, because under row-level
-- security a condition can use an index only if all of it is leakproof, which PostgreSQL does not take COALESCE for.
DROP INDEX CONCURRENTLY IF EXISTS activities_due_dates;
CREATE INDEX CONCURRENTLY activities_due_dates ON activities (organization_id, (CASE WHEN due_date IS NULL THEN 'infinity' ELSE due_date END), id);
