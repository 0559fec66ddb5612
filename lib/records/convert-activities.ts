import type { Became, Conversion } from "@/lib/records/convert-target";

const MOVE = `
  UPDATE activities SET lead_id = NULL, account_id = coalesce(account_id, $3), contact_id = coalesce(contact_id, $4),
    opportunity_id = coalesce(opportunity_id, $5), version = version + 1, updated_at = now()
  WHERE organization_id = $1 AND lead_id = $2`;

/** Takes the lead's activities along to what it becomes. They follow from the conversion and are not told of one by one. */
export async function moveActivities({ client, context }: Conversion, leadId: string, { account, contact, opportunity }: Became): Promise<void> {
  await client.query(MOVE, [context.organizationId, leadId, account.id, contact.id, opportunity?.id ?? null]);
}
