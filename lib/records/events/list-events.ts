import { z } from "zod";

import { API_VERSION, TEST_EVENT, typesMatching, wildcardsOf } from "@/lib/event-format";
import { idInput, momentOrDateInput, timestampOutput } from "@/lib/input/ids-and-times";
import { pageInput, pageOutput } from "@/lib/input/page";
import { didYouMean, suggest, truncateName } from "@/lib/input/suggest";
import { defineOperation } from "@/lib/operation";
import { EVENT_DAYS, readEventsPage } from "@/lib/records/events/events-page";
import type { Entity } from "@/lib/records/schema/entity";
import { ENTITIES } from "@/lib/records/schema/registry";

/** The actions of every record. Restoring one is `created`. */
const ACTIONS = ["created", "updated", "deleted"] as const;

function typesOf({ singular, extraEvent }: Entity): string[] {
  return [...ACTIONS, ...(extraEvent ? [extraEvent.action] : [])].map((action) => `${singular}.${action}`);
}

/** Every type of event of records: "account.created". */
export const EVENT_TYPES: readonly string[] = Object.values<Entity>(ENTITIES).flatMap(typesOf);

/** The feed has the tests of webhooks too. */
const FEED_TYPES = [...EVENT_TYPES, TEST_EVENT];

/** All events of an entity: "account.*". */
const EVENT_WILDCARDS: readonly string[] = wildcardsOf(FEED_TYPES);

const event = z.object({
  id: z.uuidv7(),
  type: z
    .string()
    .meta({ enum: [...FEED_TYPES] })
    .describe("What happened. This list may grow."),
  timestamp: timestampOutput,
  api_version: z.literal(API_VERSION),
  organization_id: z.uuidv7(),
  data: z.object({
    object: z
      .record(z.string(), z.json())
      .describe(
        "The record after the change; after a deletion, as it last was. It has the fields of its kind, those of a " +
          "`Case` where `type` begins with `case.`, as they were at the time. Keep the one with the highest " +
          "`version`: concurrent changes of a record may be emitted in either order.",
      ),
    previous: z
      .record(z.string(), z.json())
      .nullable()
      .describe("The previous values of the changed fields; null where there were none."),
  }),
});

/** The enum is only for the API description; the fault below says more than an enum's. */
const patternInput = z.string().meta({ enum: [...FEED_TYPES, ...EVENT_WILDCARDS] });

const typeInput = patternInput.transform((pattern, context) => {
  const types = typesMatching(pattern, FEED_TYPES);
  if (types.length > 0) return types;
  const hint = didYouMean(
    suggest(pattern, [...FEED_TYPES, ...EVENT_WILDCARDS]),
    "; write one like `account.created`, or `account.*` for all of an entity.",
  );
  context.addIssue({
    code: "custom",
    message: `\`${truncateName(pattern)}\` is not a type of event${hint}`,
    params: { code: "invalid_value" },
  });
  return z.NEVER;
});

const EVENTS_SCOPE_NOTE =
  "Changes of records. Their effects on other records have no events: references that a deletion clears or a " +
  "restoration sets, and activities that a conversion moves. Lists by `updated_at[gte]` show them. A migration has " +
  "events only if its configuration says `send_events: true`.";

const MOMENT_FAULT = "`created_at[gte]` must be a time with its offset, like 2026-12-31T09:30:00Z, or a date.";

/** The feed of events, for clients that missed webhooks or have none. */
export const listEvents = defineOperation({
  name: "list_events",
  summary:
    `List what happened to records in the last ${EVENT_DAYS} days. With order=asc, continue from the last event: ` +
    "none is missed.",
  scopes: ["crm:read"],
  input: z.strictObject({
    limit: pageInput.limit,
    cursor: pageInput.cursor.describe(
      "`next_cursor` of the previous page, or the `id` of the last event that you have: with `order=asc`, newer " +
        "events follow it.",
    ),
    order: z
      .enum(["asc", "desc"], "`order` must be `asc` or `desc`.")
      .default("desc")
      .describe("`asc` begins with the oldest."),
    type: typeInput
      .optional()
      .describe("Only events of this type: `case.escalated`, or `case.*` for all of an entity."),
    record_id: idInput("`record_id` must be the id of a record.").optional().describe("Only events of this record."),
    "created_at[gte]": momentOrDateInput(MOMENT_FAULT)
      .optional()
      .describe("Only events from this time on; a date means its midnight in UTC."),
  }),
  output: pageOutput(event).extend({ data: z.array(event).describe(EVENTS_SCOPE_NOTE) }),
  run: ({ organizationId }, { type: types, "created_at[gte]": since, ...rest }) =>
    readEventsPage(organizationId, { ...rest, types, since }),
});
