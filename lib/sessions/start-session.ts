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
  /** What the first sign-in through the provider has done: linked a user to their account there, or made somebody a member. */
  first?: "linked" | "joined" | undefined;
}

const INSERT = "INSERT INTO sessions (id, user_id, organization_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)";

/** Begins a session and returns its id, which only ever leaves the server encrypted. Clears away what has expired. */
export async function startSession({ organizationId, userId, address, method, first }: NewSession): Promise<string> {
  const id = newId();
  const now = new Date();
  await pool().query("DELETE FROM sessions WHERE expires_at < $1", [now]);
  await transaction(async (client) => {
    await client.query(INSERT, [id, userId, organizationId, now, new Date(now.getTime() + SESSION_SECONDS * 1000)]);
    await recordAudit(client, { organizationId, userId, address, action: "sign_in.succeeded", details: { method, ...(first && { first }) } });
  });
  return id;
}
