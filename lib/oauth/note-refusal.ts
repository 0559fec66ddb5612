import { recordAudit } from "@/lib/audit";
import { pool, prisma } from "@/lib/db";
import { log } from "@/lib/log";
import { CLIENT_ID } from "@/lib/oauth/find-client";
import { acrossOrganizations } from "@/lib/organization-scope";
import { countAttempt, type Throttle } from "@/lib/throttle";

/** Per client, from wherever they come: whoever has many addresses must not fill the audit log. */
const TOLD: Throttle = { name: "client-refused-told", limit: 20, windowSeconds: 15 * 60 };

/**
 * Tells the audit log that a client which is known, live or revoked, came with a wrong secret. Not waited for: the time of the answer would
 * tell which clients there are.
 */
export function noteRefusal(clientId: string, address: string): void {
  if (!CLIENT_ID.test(clientId)) return;
  record(clientId, address).catch((error: unknown) => log.error({ err: error }, "the refusal of a client was not recorded"));
}

async function record(clientId: string, address: string): Promise<void> {
  const find = { where: { client_id: clientId }, select: { id: true, organization_id: true } };
  const client = await acrossOrganizations(() => prisma().oauth_clients.findFirst(find));
  if (!client || (await countAttempt(TOLD, client.id)) > 0) return;
  await recordAudit(pool(), { organizationId: client.organization_id, action: "client.refused", address, clientId: client.id });
}
