import { z } from "zod";

import { hasUnseen } from "@/lib/input/invisible-characters";
import { AddressRefused, checkOutboundUrl } from "@/lib/outbound/address-rules";
import { EVENTS_MEANING, eventTypesOf, nearestEvent } from "@/lib/webhooks/event-types";

const MOST_URL = 2000;

const MOST_EVENTS = 50;

const MOST_DESCRIPTION = 500;

/** Where a webhook's deliveries go: an address that may be called. What its name leads to is checked at every attempt, since that can change. */
export const webhookUrl = z
  .string()
  .max(MOST_URL, `At most ${MOST_URL} characters.`)
  .superRefine((given, context) => {
    const fault = faultOf(given);
    if (fault) context.addIssue({ code: "custom", message: fault, params: { code: "invalid_format" } });
  })
  .describe("The endpoint. It must begin with https:// and lead to the public internet, on port 443 or 8443.");

/** Beside what {@link hasUnseen} finds, the joiners: words have them, addresses have no use for them. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/u;

function faultOf(given: string): string | undefined {
  if (hasUnseen(given) || IGNORED.test(given)) return "The address has control characters or invisible ones. Type it anew, instead of pasting it.";
  if (/[\s\\]/.test(given) || !URL.canParse(given)) return "This is no address. One looks like https://example.com/hooks/crm.";
  try {
    checkOutboundUrl(new URL(given));
    return undefined;
  } catch (error) {
    if (error instanceof AddressRefused) return error.message;
    throw error;
  }
}

/** The fault of a pattern that stands for no event, with what to write instead. */
export function noSuchEvent(pattern: string) {
  const meant = nearestEvent(pattern);
  const hint = meant ? `did you mean \`${meant}\`?` : "write one like `case.escalated`, `case.*` for all of an entity, or `*`.";
  return { code: "custom", message: `\`${pattern.slice(0, 64)}\` is no event; ${hint}`, params: { code: "invalid_value" } } as const;
}

const pattern = z.string().superRefine((given, context) => {
  if (eventTypesOf(given).length === 0) context.addIssue(noSuchEvent(given));
});

export const webhookEvents = z
  .array(pattern)
  .min(1, "Name at least one event.")
  .max(MOST_EVENTS, `At most ${MOST_EVENTS} events.`)
  .transform((events) => [...new Set(events)])
  .describe(EVENTS_MEANING);

export const webhookDescription = z
  .string()
  .trim()
  .max(MOST_DESCRIPTION, `At most ${MOST_DESCRIPTION} characters.`)
  .refine((text) => !hasUnseen(text), "Control characters, new lines and invisible ones cannot be part of a description.")
  .transform((text) => text || null)
  .nullable()
  .describe("What it is for, in your own words, on one line.");

/** The event types that a webhook gets, for its row. */
export function typesFor(events: readonly string[]): string[] {
  return [...new Set(events.flatMap(eventTypesOf))];
}

/** What the audit log tells of an endpoint: its path may hold a token of the receiving side. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
