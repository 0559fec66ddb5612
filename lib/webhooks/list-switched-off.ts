import { pool } from "@/lib/db";
import { inOrganization } from "@/lib/organization-scope";

/** A webhook that the service has switched off, because its endpoint is gone or nothing arrived for five days. That an app has lost its access, somebody has decided. */
interface SwitchedOffWebhook {
  id: string;
  url: string;
  description: string | null;
  disabled_reason: "gone" | "failing";
}

/** One range of the primary key, of at most as many rows as an organization has webhooks. */
const LIST = `SELECT id, url, description, disabled_reason FROM webhooks
  WHERE organization_id = $1 AND NOT active AND disabled_reason IN ('gone', 'failing') ORDER BY disabled_at DESC, id`;

/** What an organization's admins are told of on every page, until it is switched on again or deleted; the latest first. */
export async function listSwitchedOff(organizationId: string): Promise<SwitchedOffWebhook[]> {
  const { rows } = await inOrganization(organizationId, () =>
    pool().query<SwitchedOffWebhook>({ name: "webhooks-switched-off", text: LIST, values: [organizationId] }),
  );
  return rows;
}
