import { pool } from "@/lib/db";

/** A webhook that the service has switched off, because its endpoint is gone or nothing arrived for five days. */
interface SwitchedOffWebhook {
  id: string;
  url: string;
  description: string | null;
  disabled_reason: "gone" | "failing";
}

/** One range of the primary key, of at most as many rows as an organization has webhooks. */
const LIST = `SELECT id, url, description, disabled_reason FROM webhooks
  WHERE organization_id = $1 AND NOT active AND disabled_reason IS NOT NULL ORDER BY disabled_at DESC, id`;

/** What an organization's admins are told of on every page, until it is switched on again or deleted; the latest first. */
export async function listSwitchedOff(organizationId: string): Promise<SwitchedOffWebhook[]> {
  const { rows } = await pool().query<SwitchedOffWebhook>({ name: "webhooks-switched-off", text: LIST, values: [organizationId] });
  return rows;
}
