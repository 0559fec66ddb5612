import { TEST_EVENT, typesMatching, wildcardsOf } from "@/lib/event-format";
import { suggest } from "@/lib/input/suggest";

/** The event types that webhooks can subscribe to. The events feed has those of the other resources too. */
export const WEBHOOK_EVENTS = [
  "opportunity.created",
  "opportunity.updated",
  "opportunity.deleted",
  "opportunity.stage_changed",
  "case.created",
  "case.updated",
  "case.deleted",
  "case.escalated",
  "lead.created",
  "lead.updated",
  "lead.deleted",
  "lead.converted",
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "account.created",
  "account.updated",
  "account.deleted",
] as const;

/** All events of an entity: "case.*". */
const WEBHOOK_WILDCARDS: readonly string[] = wildcardsOf(WEBHOOK_EVENTS);

const quoted = (patterns: readonly string[]) => patterns.map((pattern) => `\`${pattern}\``).join(", ");

/** The description of `events` in the API reference. */
export const EVENTS_DESCRIPTION =
  `What to send. One type: ${quoted(WEBHOOK_EVENTS)}. All of an entity: ${quoted(WEBHOOK_WILDCARDS)}. All of ` +
  `these: \`*\`. \`${TEST_EVENT}\` cannot be subscribed to: only \`POST /webhooks/{id}/test\` sends it. ` +
  "`stage_changed`, `escalated` and `converted` are sent beside the `updated` of the same version; a restored record " +
  "is `created` again with its former id.";

/** The event types of a pattern: a type, `entity.*` or `*`. Empty for anything else. */
export function eventTypesOf(pattern: string): string[] {
  return pattern === "*" ? [...WEBHOOK_EVENTS] : typesMatching(pattern, WEBHOOK_EVENTS);
}

/** The type or pattern that is most similar to `pattern`. */
export function suggestEventType(pattern: string): string | undefined {
  return suggest(pattern, [...WEBHOOK_EVENTS, ...WEBHOOK_WILDCARDS]);
}

/** The object of a test event. */
export function testEventObject(webhookId: string) {
  return { webhook_id: webhookId, message: "This is a test. What happens to records comes in the same form." };
}
