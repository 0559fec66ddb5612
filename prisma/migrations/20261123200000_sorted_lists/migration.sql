-- CreateIndex
CREATE INDEX "accounts_organization_id_migration_id_id_idx" ON "accounts"("organization_id", "migration_id", "id") WHERE (migration_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "activities_organization_id_migration_id_id_idx" ON "activities"("organization_id", "migration_id", "id") WHERE (migration_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "case_comments_organization_id_migration_id_id_idx" ON "case_comments"("organization_id", "migration_id", "id") WHERE (migration_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "cases_organization_id_migration_id_id_idx" ON "cases"("organization_id", "migration_id", "id") WHERE (migration_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "contacts_organization_id_migration_id_id_idx" ON "contacts"("organization_id", "migration_id", "id") WHERE (migration_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "leads_organization_id_migration_id_id_idx" ON "leads"("organization_id", "migration_id", "id") WHERE (migration_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "opportunities_organization_id_migration_id_id_idx" ON "opportunities"("organization_id", "migration_id", "id") WHERE (migration_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "products_organization_id_migration_id_id_idx" ON "products"("organization_id", "migration_id", "id") WHERE (migration_id IS NOT NULL);

-- What follows is written by hand: a Prisma schema has neither functions nor indexes on expressions.

-- Some texts as a list is sorted by them: folded as search folds them, so that Aebi stands beside aebi and Müller beside Muller, one
-- space between two texts, and cut, because an entry of an index has a limited size. The indexes compare bytes ("C"), which every server does alike. One
-- function from the columns to the key, and in PL/pgSQL, for the reasons of search_words: it neither fails nor reveals what it folds.
CREATE FUNCTION sort_key(VARIADIC given text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN left(public.search_folded(left(array_to_string(given, ' '), 100)), 100) COLLATE "C";
END
$$;

CREATE INDEX accounts_alphabet ON accounts (organization_id, (sort_key(name) COLLATE "C"), id);
CREATE INDEX activities_alphabet ON activities (organization_id, (sort_key(subject) COLLATE "C"), id);
CREATE INDEX cases_alphabet ON cases (organization_id, (sort_key(subject) COLLATE "C"), id);
CREATE INDEX contacts_alphabet ON contacts (organization_id, (sort_key(last_name, first_name) COLLATE "C"), id);
CREATE INDEX leads_alphabet ON leads (organization_id, (sort_key(last_name, first_name) COLLATE "C"), id);
CREATE INDEX opportunities_alphabet ON opportunities (organization_id, (sort_key(name) COLLATE "C"), id);
CREATE INDEX products_alphabet ON products (organization_id, (sort_key(name) COLLATE "C"), id);
