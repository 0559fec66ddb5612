import type { Entity } from "@/lib/records/entity";

/**
 * The condition that a record's words begin with each word of `query`, an SQL expression. The left side is the indexed expression, to the letter;
 * `search_words` and `search_query` are made by the migration that makes the index.
 */
export function matches(entity: Entity, query: string): string {
  return `(${entity.search.map((name) => `search_words(${name})`).join(" || ")}) @@ search_query(${query})`;
}
