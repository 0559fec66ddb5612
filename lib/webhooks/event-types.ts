import { typesMatching, wildcardsOf } from "@/lib/event-format";
import { suggest } from "@/lib/input/suggest";

/** What webhooks tell of. The events feed knows the other resources too. */
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

/** What an admin sends to try a webhook. Whoever has a webhook gets it, whatever else it subscribes to. */
export const TEST_EVENT = "webhook.test";

/** All events of an entity: "case.*". */
const WEBHOOK_WILDCARDS: readonly string[] = wildcardsOf(WEBHOOK_EVENTS);

const quoted = (patterns: readonly string[]) => patterns.map((pattern) => `\`${pattern}\``).join(", ");

/** What a webhook can subscribe to, for readers of the API's description. */
export const EVENTS_DESCRIPTION =
  `What to send. One type: ${quoted(WEBHOOK_EVENTS)}. All of an entity: ${quoted(WEBHOOK_WILDCARDS)}. All of ` +
  `these: \`*\`. ` +
  `\`${TEST_EVENT}\` cannot be subscribed to: \`POST /webhooks/{id}/test\` alone sends it.`;

/** The event types that a pattern stands for: a type, `entity.*` or `*`. None when it is neither. */
export function eventTypesOf(pattern: string): string[] {
  return pattern === "*" ? [...WEBHOOK_EVENTS] : typesMatching(pattern, WEBHOOK_EVENTS);
}

/** What somebody who wrote `pattern` most likely meant. */
export function suggestEventType(pattern: string): string | undefined {
  return suggest(pattern, [...WEBHOOK_EVENTS, ...WEBHOOK_WILDCARDS]);
}

/** What a test event tells: nothing happened to a record. */
export function testEventObject(webhookId: string) {
  return { webhook_id: webhookId, message: "This is a test. What happens to records comes in the same form." };
}
