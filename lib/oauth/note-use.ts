import { pool } from "@/lib/db";
import { log } from "@/lib/log";
import type { AccessToken } from "@/lib/oauth/find-access-token";
import { inOrganization } from "@/lib/organization-scope";

const INTERVAL_MILLISECONDS = 60_000;

/** When this process last wrote it down, per client and person. */
const noted = new Map<string, number>();

const NOTE = `
  WITH granted AS (UPDATE oauth_grants SET last_used_at = now() WHERE client_id = $1 AND user_id = $2)
  UPDATE oauth_clients SET last_used_at = now() WHERE id = $1`;

/** Keeps `last_used_at` of the token's client and grant true to about a minute, without making a request wait or write. */
export function noteUse({ organization_id, client_id, user_id }: Pick<AccessToken, "organization_id" | "client_id" | "user_id">): void {
  const key = `${client_id} ${user_id}`;
  const now = Date.now();
  if (now - (noted.get(key) ?? 0) < INTERVAL_MILLISECONDS) return;
  noted.set(key, now);
  inOrganization(organization_id, () => pool().query(NOTE, [client_id, user_id])).catch((error: unknown) =>
    log.warn({ client: client_id, err: error }, "could not note the use of a client"),
  );
}
