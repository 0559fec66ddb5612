import type { PoolClient } from "pg";
import { z } from "zod";

import { answeringTransaction } from "@/lib/database/transactions";
import type { Context } from "@/lib/context";
import { assertReferences } from "@/lib/records/write/write-rules";
import { idInput, pathId } from "@/lib/input/ids-and-times";
import { defineOperation, JsonText } from "@/lib/operation";
import { account } from "@/lib/records/entities/account";
import { contact } from "@/lib/records/entities/contact";
import { lead } from "@/lib/records/entities/lead";
import { opportunity } from "@/lib/records/entities/opportunity";
import { assertRecordId } from "@/lib/records/get-record";
import { alreadyConverted } from "@/lib/records/lead-conversion/already-converted";
import {
  opportunityValues,
  type ConversionResult,
  type Conversion,
  type ConvertedRecord,
  resolveAccount,
  resolveContact,
} from "@/lib/records/lead-conversion/conversion-targets";
import { createRecords } from "@/lib/records/write/create-record";
import { type LockedRecord, lockRecord, lockRecords } from "@/lib/records/write/lock-records";
import { changeRecords } from "@/lib/records/write/update-record";
import { fieldInput, recordOutput } from "@/lib/records/schema/field-schema";

const { name, close_date, stage, amount, currency, owner_id } = opportunity.fields;

const createOpportunity = z.strictObject({
  name: fieldInput(name),
  close_date: fieldInput(close_date),
  stage: fieldInput(stage).default("prospecting"),
  amount: fieldInput(amount).exactOptional(),
  currency: fieldInput(currency).exactOptional(),
});

/** The body of a conversion, and the lead's id. */
const convertInput = z.strictObject({
  id: pathId(lead.label),
  account_id: idInput("This must be the id of an account.")
    .exactOptional()
    .describe("An existing account; without it, one is created."),
  account_name: fieldInput(account.fields.name)
    .exactOptional()
    .describe("The name of the new account, instead of the lead's `company`."),
  contact_id: idInput("This must be the id of a contact.")
    .exactOptional()
    .describe("An existing contact; without it, one is created."),
  create_opportunity: createOpportunity.exactOptional().describe("Creates an opportunity too."),
  owner_id: fieldInput(owner_id).exactOptional().describe("The owner of the new records, instead of the lead's owner."),
});

const convertedRecord = z.object({ id: z.uuidv7(), created: z.boolean() });

const convertOutput = z.object({
  lead: recordOutput(lead),
  account: convertedRecord,
  contact: convertedRecord,
  opportunity: convertedRecord.nullable(),
});

type Input = z.output<typeof convertInput>;

/**
 * Converts a lead into an account and a contact, each new or existing, and an opportunity if requested. Existing
 * records get only values for empty fields; the lead's activities move to the new records. Emits `lead.converted`
 * beside `lead.updated`. Throws `not_found`, `precondition_failed`, `invalid_request`, or `conflict` with the ids for a
 * lead that is already converted.
 */
export const convertLead = defineOperation({
  name: "convert_lead",
  summary:
    "Convert a lead into an account and a contact, existing or new, and an opportunity if requested. Its activities " +
    "move along.",
  scopes: ["crm:write"],
  stores: true,
  conditional: true,
  input: convertInput,
  output: convertOutput,
  run: (context, { id, ...requested }) => {
    assertRecordId(lead, id);
    return answeringTransaction(context, (client) => convert(client, context, id, requested));
  },
});

async function convert(
  client: PoolClient,
  context: Context,
  id: string,
  requested: Omit<Input, "id">,
): Promise<JsonText> {
  // A concurrent conversion of the same lead waits here, and then finds it converted.
  const before = await lockRecord(client, lead, context, id);
  if (before.values.status === "converted") throw await alreadyConverted(client, context.organizationId, before);
  const { account_id, contact_id, owner_id } = requested;
  await assertReferences(client, opportunity, context, [{ account_id, contact_id, owner_id }]);
  const owner = owner_id === undefined ? await ownerOf(client, context, before) : { owner_id };
  const conversion: Conversion = { client, context, lead: before.values, owner };
  const existing = await lockContact(conversion, contact_id);
  const accountResult = await resolveAccount(conversion, requested, existing);
  const contactResult = await resolveContact(conversion, accountResult.id, existing);
  const opportunityResult = await makeOpportunity(
    conversion,
    { account_id: accountResult.id, contact_id: contactResult.id },
    requested.create_opportunity,
  );
  const result = { account: accountResult, contact: contactResult, opportunity: opportunityResult };
  await moveActivities(conversion, id, result);
  const json = await markConverted(conversion, before, result);
  return new JsonText(`{"lead":${json},${JSON.stringify(result).slice(1)}`);
}

async function lockContact({ client, context }: Conversion, id: string | undefined): Promise<LockedRecord | undefined> {
  if (id === undefined) return undefined;
  const [locked] = await lockRecords(client, contact, context.organizationId, [id]);
  return locked;
}

async function markConverted(
  { client, context }: Conversion,
  before: LockedRecord,
  { account, contact, opportunity }: ConversionResult,
): Promise<string> {
  const converted = {
    converted_account_id: account.id,
    converted_contact_id: contact.id,
    converted_opportunity_id: opportunity?.id ?? null,
  };
  const given = { status: "converted", converted_at: new Date().toISOString(), ...converted };
  const [after] = await changeRecords(client, lead, context, [{ before, given }]);
  return after?.json ?? before.json;
}

async function makeOpportunity(
  { client, context, lead: from, owner }: Conversion,
  ids: { account_id: string; contact_id: string },
  requested: Input["create_opportunity"],
): Promise<ConvertedRecord | null> {
  if (!requested) return null;
  const given = { ...owner, ...opportunityValues(from, ids, requested) };
  const [created] = await createRecords(client, opportunity, context, [given], {
    prefixOf: () => "/create_opportunity",
  });
  return created ? { id: created.id, created: true } : null;
}

/** The lead's owner, if still a member of the organization; else the caller. */
async function ownerOf(
  client: PoolClient,
  { organizationId }: Context,
  { values }: LockedRecord,
): Promise<{ owner_id?: string }> {
  const { rows } = await client.query<{ owner_id: string }>(
    "SELECT user_id AS owner_id FROM memberships WHERE organization_id = $1 AND user_id = $2",
    [organizationId, values.owner_id],
  );
  return rows[0] ?? {};
}

const MOVE = `
  UPDATE activities SET lead_id = NULL, account_id = coalesce(account_id, $3), contact_id = coalesce(contact_id, $4),
    opportunity_id = coalesce(opportunity_id, $5), version = version + 1, updated_at = now()
  WHERE organization_id = $1 AND lead_id = $2`;

/** Moves the lead's activities to what it becomes. They follow from the conversion and emit no events. */
async function moveActivities(
  { client, context }: Conversion,
  leadId: string,
  { account, contact, opportunity }: ConversionResult,
): Promise<void> {
  await client.query(MOVE, [context.organizationId, leadId, account.id, contact.id, opportunity?.id ?? null]);
}
