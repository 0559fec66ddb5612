import { z } from "zod";

import { hasInvisibleCharacters } from "@/lib/input/invisible-characters";
import { didYouMean, truncateName } from "@/lib/input/suggest";
import { AddressRefused, assertOutboundUrl } from "@/lib/outbound/address-rules";
import { EVENTS_DESCRIPTION, eventTypesOf, suggestEventType } from "@/lib/webhooks/event-types";

const MAX_URL_LENGTH = 2000;

const MAX_EVENTS = 50;

const MAX_DESCRIPTION_LENGTH = 500;

/** The URL of an endpoint: a public address. Every attempt checks what its host resolves to, since that can change. */
export const webhookUrl = z
  .string()
  .max(MAX_URL_LENGTH, `At most ${MAX_URL_LENGTH} characters.`)
  .superRefine((given, context) => {
    const fault = urlFault(given);
    if (fault) context.addIssue({ code: "custom", message: fault, params: { code: "invalid_format" } });
  })
  .describe("The endpoint. It must begin with https:// and lead to the public internet, on port 443 or 8443.");

/** Joiners, which words need and addresses do not; beside what {@link hasInvisibleCharacters} finds. */
const DEFAULT_IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;

function urlFault(given: string): string | undefined {
  if (hasInvisibleCharacters(given) || DEFAULT_IGNORABLE.test(given))
    return "The address has control or invisible characters. Type it instead of pasting it.";
  // A parser finds a host in `http:example.com` and `http:///example.com`, too (RFC 9110 §4.2.2).
  if (/[\s\\]/.test(given) || !URL.canParse(given) || /^https?:(?!\/\/[^/])/i.test(given))
    return "This is not an address. An address looks like https://example.com/hooks/crm.";
  try {
    assertOutboundUrl(new URL(given));
    return undefined;
  } catch (error) {
    if (error instanceof AddressRefused) return error.message;
    throw error;
  }
}

/** The issue for a pattern that matches no event, with a suggestion. */
export function unknownEventIssue(pattern: string) {
  const hint = didYouMean(
    suggestEventType(pattern),
    "; write one like `case.escalated`, `case.*` for all of an entity, or `*`.",
  );
  return {
    code: "custom",
    message: `\`${truncateName(pattern)}\` is no event of webhooks${hint}`,
    params: { code: "invalid_value" },
  } as const;
}

const pattern = z.string().superRefine((given, context) => {
  if (eventTypesOf(given).length === 0) context.addIssue(unknownEventIssue(given));
});

export const webhookEvents = z
  .array(pattern)
  .min(1, "Name at least one event.")
  .max(MAX_EVENTS, `At most ${MAX_EVENTS} events.`)
  .transform((events) => [...new Set(events)])
  .describe(EVENTS_DESCRIPTION);

export const webhookDescription = z
  .string()
  .trim()
  .max(MAX_DESCRIPTION_LENGTH, `At most ${MAX_DESCRIPTION_LENGTH} characters.`)
  .refine(
    (text) => !hasInvisibleCharacters(text),
    "A description cannot contain control characters, line breaks or invisible characters.",
  )
  .transform((text) => text || null)
  .nullable()
  .describe("What it is for, in your own words, on one line.");

/** The event types of a webhook's patterns, for its row. */
export function expandEventTypes(events: readonly string[]): string[] {
  return [...new Set(events.flatMap(eventTypesOf))];
}

/** What the audit log shows of an endpoint. The rest of a URL may contain a token of the receiver. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
