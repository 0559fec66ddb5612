import { isoText } from "@/lib/database/iso-text";

/** The version in every event and in the path of the API. */
export const API_VERSION = "v1";

/** What an admin sends to test a webhook. It is sent whatever the webhook subscribes to. */
export const TEST_EVENT = "webhook.test";

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
 * `created_at` of an event is the start of its transaction, which gets its number at most this much later. So an event
 * that was created this long before a time has a lower number than every transaction that begins from that time on, and
 * reading can begin there.
 */
export const MAX_TRANSACTION_HOURS = 1;

/**
 * SQL: the number of a transaction at which reading what happened since a time can begin; no row where that is {@link
 * LOWEST_TX}. $1 is the organization, `since` the parameter with the time.
 */
export function firstTransaction(since: string): string {
  return `SELECT e.tx FROM events e WHERE e.organization_id = $1
    AND e.created_at < ${since}::timestamptz - interval '${MAX_TRANSACTION_HOURS} hours'
    ORDER BY e.created_at DESC LIMIT 1`;
}

/**
 * SQL: an event as JSON text, in the form of the feed and of webhooks. `source` is the alias of its row of `events`.
 */
export function eventPayload(source: string): string {
  return `json_build_object('id', ${source}.id, 'type', ${source}.type,
    'timestamp', ${isoText(`${source}.created_at`)},
    'api_version', '${API_VERSION}', 'organization_id', ${source}.organization_id,
    'data', json_build_object('object', ${source}.object, 'previous', ${source}.previous))::text`;
}
