import type { PoolClient } from "pg";

import { AppError } from "@/lib/errors";
import { RESTORABLE_INTERVAL } from "@/lib/records/delete/delete-record";
import type { LockedRecord } from "@/lib/records/write/lock-records";

/** What a lead becomes: the field of the lead that points at it, and its table. */
const PARTS = [
  { part: "account", resource: "accounts", field: "converted_account_id" },
  { part: "contact", resource: "contacts", field: "converted_contact_id" },
  { part: "opportunity", resource: "opportunities", field: "converted_opportunity_id" },
] as const;

type Part = (typeof PARTS)[number];

/**
 * The refusal of a repeated conversion. An extension member of the problem (RFC 9457 §3.2) has the ids of what the lead
 * became, also of what has been deleted since, as long as it can be restored. Not every conversion makes an
 * opportunity, but each has an account and a contact.
 */
export async function alreadyConverted(
  client: PoolClient,
  organizationId: string,
  lead: LockedRecord,
): Promise<AppError> {
  const found = [];
  for (const part of PARTS) found.push(await findPart(client, organizationId, part, lead));
  const records = Object.fromEntries(found.flatMap(({ part, id }) => (id === undefined ? [] : [[`${part}_id`, id]])));
  const sentences = [
    "The lead has already been converted.",
    ...(Object.keys(records).length > 0 ? ["`records` holds the ids of the records that it became."] : []),
    ...found.flatMap(({ part, id, isPresent }) => (isPresent ? [] : sentenceOf(part, id))),
  ];
  return new AppError("conflict", sentences.join(" "), { records });
}

const FIND_DELETED_PART = `
  SELECT id FROM deleted_records
  WHERE organization_id = $1 AND resource = $2 AND NOT is_part AND cleared @> $3
    AND deleted_at > now() - ${RESTORABLE_INTERVAL}
  ORDER BY deleted_at DESC LIMIT 1`;

interface Found {
  part: Part["part"];
  id: string | undefined;
  isPresent: boolean;
}

async function findPart(
  client: PoolClient,
  organizationId: string,
  { part, resource, field }: Part,
  { id: leadId, values }: LockedRecord,
): Promise<Found> {
  const current = values[field];
  if (typeof current === "string") return { part, id: current, isPresent: true };
  const link = JSON.stringify([{ resource: "leads", field, ids: [leadId] }]);
  // A deletion clears references to the record, and notes them.
  const { rows } = await client.query<{ id: string }>(FIND_DELETED_PART, [organizationId, resource, link]);
  return { part, id: rows[0]?.id, isPresent: false };
}

function sentenceOf(part: Part["part"], id: string | undefined): string[] {
  if (id !== undefined) return [`The ${part} was deleted and can be restored.`];
  return part === "opportunity" ? [] : [`The ${part} was deleted and can no longer be restored.`];
}
