import type { Entity } from "@/lib/records/entity";

/**
 * The condition that a record's words begin with each word of `query`, an SQL expression, within the organization $1. The left side is the indexed
 * expression, to the letter; `search_words` and `search_query` are made by the migration that makes the index.
 */
export function matches(entity: Entity, query: string): string {
  const text = entity.search.map((name) => `left(coalesce(${name}, ''), 500)`).join(" || ' ' || ");
  return `search_words(organization_id, ${text}) @@ search_query($1, ${query})`;
}
