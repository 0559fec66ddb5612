-- CreateIndex
CREATE INDEX "opportunities_organization_id_close_date_id_idx" ON "opportunities"("organization_id", "close_date", "id");

-- What follows is written by hand: a Prisma schema has neither functions nor indexes on expressions.

-- An amount as a list is sorted by it: in cents, and below every amount where there is none, so that such records come
-- last where the largest come first. A whole number, because PostgreSQL compares those without revealing anything, and
-- numeric not, so that under row-level security only they can use an index. One function, and in PL/pgSQL, for the
-- reasons of sort_key.
CREATE FUNCTION sort_amount(given numeric(18, 2)) RETURNS bigint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN coalesce((given * 100)::bigint, -9223372036854775808);
END
$$;

CREATE INDEX opportunities_amounts ON opportunities (organization_id, sort_amount(amount), id);
