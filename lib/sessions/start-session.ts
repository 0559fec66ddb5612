import { recordAudit } from "@/lib/audit";
import { pool, prisma } from "@/lib/db";
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

/** Begins a session and returns its id, which only ever leaves the server encrypted. Clears away what has expired. */
export async function startSession(user: NewSession): Promise<string> {
  const id = newId();
  const now = new Date();
  await prisma().sessions.deleteMany({ where: { expires_at: { lt: now } } });
  await prisma().sessions.create({
    data: {
      id,
      user_id: user.userId,
      organization_id: user.organizationId,
      created_at: now,
      expires_at: new Date(now.getTime() + SESSION_SECONDS * 1000),
    },
  });
  const { organizationId, userId, address, method, first } = user;
  await recordAudit(pool(), { organizationId, userId, address, action: "sign_in.succeeded", details: { method, ...(first && { first }) } });
  return id;
}
