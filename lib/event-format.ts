import { isoText } from "@/lib/database/iso-text";

/** The version in every event and in the path of the API. */
export const API_VERSION = "v1";

/** All events of an entity: "account.*". */
function wildcardOf(type: string): string {
  return `${type.split(".")[0]}.*`;
}

/** The wildcard of each entity that has one of `types`: "account.*". */
export function wildcardsOf(types: readonly string[]): string[] {
  return [...new Set(types.map(wildcardOf))];
}

/** The `types` that a pattern (a type, or `entity.*`) matches; none when it is neither. */
export function typesMatching(pattern: string, types: readonly string[]): string[] {
  return types.filter((type) => type === pattern || pattern === wildcardOf(type));
}

/**
 * The lowest `tx` that an event can have. Those that were restored on another server may have numbers below 0
 * (`scripts/postgres/renumber-events.ts`).
 */
export const LOWEST_TX = (-(2n ** 63n)).toString();

/**
 * SQL: an event as JSON text, in the form of the feed and of webhooks. `source` is the alias of its row of `events`.
 */
export function eventPayload(source: string): string {
  return `json_build_object('id', ${source}.id, 'type', ${source}.type,
    'timestamp', ${isoText(`${source}.created_at`)},
    'api_version', '${API_VERSION}', 'organization_id', ${source}.organization_id,
    'data', json_build_object('object', ${source}.object, 'previous', ${source}.previous))::text`;
}
