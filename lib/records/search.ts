import type { Entity } from "@/lib/records/entity";

/**
 * The condition that a record's words begin with each word of `query`, an SQL expression, within the organization $1. The left side is the indexed
 * expression, to the letter; the migration that makes the index makes the functions. The right side is a query of its own, so that PostgreSQL does not know
 * the words when it plans: where nearly all records have one it would leave the index, and take every text apart, which is dearer than it reckons.
 */
export function matches(entity: Entity, query: string): string {
  return `search_words(organization_id, ${entity.search.join(", ")}) @@ (SELECT search_query($1, ${query}))`;
}
