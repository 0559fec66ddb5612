import { recordAudit } from "@/lib/audit";
import { pool, transaction } from "@/lib/db";
import { newId } from "@/lib/ids";

/** A sign-in lasts seven days, whatever is done in them. */
export const SESSION_SECONDS = 7 * 24 * 3600;

export interface NewSession {
  organizationId: string;
  userId: string;
  /** The network address that signs in. */
  address: string;
  method: "password" | "oidc";
}

const INSERT = "INSERT INTO sessions (id, user_id, organization_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)";

/** Begins a session and returns its id, which only ever leaves the server encrypted. Clears away what has expired. */
export async function startSession({ organizationId, userId, address, method }: NewSession): Promise<string> {
  const id = newId();
  const now = new Date();
  await pool().query("DELETE FROM sessions WHERE expires_at < $1", [now]);
  await transaction(async (client) => {
    await client.query(INSERT, [id, userId, organizationId, now, new Date(now.getTime() + SESSION_SECONDS * 1000)]);
    await recordAudit(client, { organizationId, userId, address, action: "sign_in.succeeded", details: { method } });
  });
  return id;
}
