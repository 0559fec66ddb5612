import { z } from "zod";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { defineTool } from "@/lib/mcp/tool";
import { id, objectName, type ShownRecord, showRecord, shownRecord, UNTRUSTED } from "@/lib/mcp/tools/shown-record";
import { cutTexts } from "@/lib/mcp/untrusted-text";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { escalateCase as escalate } from "@/lib/records/escalate-case";
import { convertLead as convert } from "@/lib/records/lead-conversion/convert-lead";
import { RESTORABLE_DAYS } from "@/lib/records/delete/delete-record";
import { createOperation, deleteOperation, getOperation, updateOperation } from "@/lib/records/operations";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { fieldInput } from "@/lib/records/schema/field-schema";

/** An assistant that writes back what it has read would replace a long text by its beginning. */
const fields = z
  .record(z.string().max(60), z.unknown())
  .superRefine((given, context) => {
    for (const path of cutTexts(given)) {
      const message = "This text was cut when it was read: write the whole text, or leave the field out to keep it.";
      context.addIssue({ code: "custom", path, message });
    }
    if (Object.hasOwn(given, "id"))
      context.addIssue({
        code: "custom",
        path: ["id"],
        message: "The id of a record is no field of it; leave it out.",
      });
  })
  .describe("As describe_object names them.");

const expectedVersion = z.int().min(1).describe("The `version` that you have read. A later one is left as it is.");

/** A context in which a record is changed only at this version (RFC 9110 §13.1.1, as `If-Match` does over REST). */
function atVersion(context: Context, version: number): Context {
  return { ...context, preconditions: { ifMatch: [{ isWeak: false, tag: String(version) }] } };
}

async function change(
  context: Context,
  object: ResourceName,
  operation: Operation,
  input: object,
): Promise<ShownRecord> {
  return showRecord(object, valueOf(await execute(operation, context, input)) as Record<string, unknown>);
}

export const createRecord = defineTool({
  name: "create_record",
  title: "Create a record",
  description: `Create a record. Search first: is it there already? ${UNTRUSTED}`,
  scopes: ["crm:write"],
  effect: "adds",
  idempotent: false,
  input: z.strictObject({ object: objectName, fields }),
  output: shownRecord,
  run: (context, { object, fields: given }) => change(context, object, createOperation(object), given),
});

export const updateRecord = defineTool({
  name: "update_record",
  title: "Change a record",
  description: `Change the given fields of a record; null clears one. ${UNTRUSTED}`,
  scopes: ["crm:write"],
  effect: "changes",
  idempotent: false,
  input: z.strictObject({ object: objectName, id, expected_version: expectedVersion, fields }),
  output: shownRecord,
  run: (context, { object, id: record, expected_version: version, fields: given }) =>
    change(atVersion(context, version), object, updateOperation(object), { ...given, id: record }),
});

export const deleteRecord = defineTool({
  name: "delete_record",
  title: "Delete a record",
  description: `Delete a record and its parts. People can restore it for ${RESTORABLE_DAYS} days. Ask the user first.`,
  scopes: ["crm:write"],
  effect: "deletes",
  idempotent: false,
  input: z.strictObject({ object: objectName, id, expected_version: expectedVersion }),
  output: z.object({ object: objectName, id: z.string(), deleted: z.literal(true), restorable_until: z.string() }),
  async run(context, { object, id: record, expected_version: version }) {
    const deleted = valueOf(await execute(deleteOperation(object), atVersion(context, version), { id: record }));
    return { object, ...(deleted as { id: string; deleted: true; restorable_until: string }) };
  },
});

const { type, subject, description, due_date, start_at, end_at, completed_at, duration_minutes } =
  ENTITIES.activities.fields;

export const logActivity = defineTool({
  name: "log_activity",
  title: "Log an activity",
  description:
    "Log a call, an e-mail, a meeting or a note, or plan a task, for a contact, account, case, deal or lead. Where " +
    `left out, the account and the contact are those of the case, the deal or the contact. ${UNTRUSTED}`,
  scopes: ["crm:write"],
  effect: "adds",
  idempotent: false,
  input: z.strictObject({
    type: fieldInput(type),
    subject: fieldInput(subject),
    description: fieldInput(description).optional(),
    is_done: z
      .boolean()
      .optional()
      .describe("Left out: a task is still to do unless `completed_at` is given; anything else is done."),
    completed_at: fieldInput(completed_at).optional().describe("When it was done. Left out: now."),
    due_date: fieldInput(due_date).optional(),
    start_at: fieldInput(start_at).optional(),
    end_at: fieldInput(end_at).optional(),
    duration_minutes: fieldInput(duration_minutes).optional(),
    contact_id: id.optional(),
    account_id: id.optional(),
    case_id: id.optional(),
    opportunity_id: id.optional(),
    lead_id: id.optional(),
  }),
  output: shownRecord,
  run: async (context, { is_done, ...given }) => {
    const isDone = is_done ?? (given.type !== "task" || given.completed_at !== undefined);
    if (!isDone && given.completed_at !== undefined) throw notDoneYet();
    const state = isDone ? { status: "completed", completed_at: new Date().toISOString() } : { status: "not_started" };
    const customer = await customerOf(context, given);
    return change(context, "activities", createOperation("activities"), { ...customer, ...state, ...given });
  },
});

/** What of a customer an activity can be about, with the fields that name the customer; the last one counts most. */
const CUSTOMERS = [
  ["contact_id", "contacts", ["account_id"]],
  ["opportunity_id", "opportunities", ["account_id", "contact_id"]],
  ["case_id", "cases", ["account_id", "contact_id"]],
] as const;

/**
 * The account and the contact of what an activity is about, so that it is found there too. What does not exist has
 * none: the creation refuses it.
 */
async function customerOf(context: Context, given: Readonly<Record<string, unknown>>): Promise<object> {
  const customer: Record<string, unknown> = {};
  for (const [reference, resource, names] of CUSTOMERS) {
    if (given[reference] === undefined) continue;
    const record = await readOrNone(context, resource, { id: given[reference], fields: names.join() });
    for (const name of names) customer[name] = record[name] ?? customer[name] ?? null;
  }
  return customer;
}

async function readOrNone(context: Context, object: ResourceName, input: object): Promise<Record<string, unknown>> {
  try {
    return valueOf(await execute(getOperation(object), context, input)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return {};
    throw error;
  }
}

function notDoneYet(): AppError {
  const detail = "What is still to do has no time when it was done. Leave it out, or send `is_done: true`.";
  return new AppError("invalid_request", detail, {
    errors: [{ pointer: "/completed_at", code: "invalid_value", detail }],
  });
}

const { stage } = ENTITIES.opportunities.fields;

export const changeStage = defineTool({
  name: "change_stage",
  title: "Move an opportunity",
  description: `Move an opportunity to another stage of the pipeline. Its probability follows the stage. ${UNTRUSTED}`,
  scopes: ["crm:write"],
  effect: "changes",
  idempotent: true,
  input: z.strictObject({ id, expected_version: expectedVersion, stage: fieldInput(stage) }),
  output: shownRecord,
  run: (context, { id: record, expected_version: version, stage: to }) =>
    change(atVersion(context, version), "opportunities", updateOperation("opportunities"), { id: record, stage: to }),
});

export const escalateCase = defineTool({
  name: "escalate_case",
  title: "Escalate a case",
  description: `Escalate a case: those who follow escalations are told. ${UNTRUSTED}`,
  scopes: ["crm:write"],
  effect: "changes",
  idempotent: true,
  input: escalate.input.extend({ expected_version: expectedVersion }),
  output: shownRecord,
  run: (context, { expected_version: version, ...given }) =>
    change(atVersion(context, version), "cases", escalate as unknown as Operation, given),
});

const made = z.object({ id: z.string(), created: z.boolean() });

const madeOfLead = z.object({ account: made, contact: made, opportunity: made.nullable() });

export const convertLead = defineTool({
  name: "convert_lead",
  title: "Convert a lead",
  description:
    "Convert a lead into an account and a contact, existing or new, and an opportunity if asked. Its activities move " +
    `along. This cannot be undone. ${UNTRUSTED}`,
  scopes: ["crm:write"],
  effect: "changes",
  idempotent: false,
  input: convert.input.extend({ expected_version: expectedVersion }),
  output: madeOfLead.extend({ lead: shownRecord }),
  async run(context, { expected_version: version, ...given }) {
    const converted = valueOf(await execute(convert, atVersion(context, version), given));
    return { ...converted, lead: showRecord("leads", converted.lead as Record<string, unknown>) };
  },
});
