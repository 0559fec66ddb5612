import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";

/** A sign-in lasts seven days, whatever is done in them. */
export const SESSION_SECONDS = 7 * 24 * 3600;

/** Begins a session and returns its id, which only ever leaves the server encrypted. Clears away what has expired. */
export async function startSession(user: { organizationId: string; userId: string }): Promise<string> {
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
  return id;
}
