import { prisma } from "@/lib/db";
import { isId } from "@/lib/ids";

/** The origin that a pending request leads back to, for the consent page's policy; null when there is no such request. */
export async function pendingRedirectOrigin(id: string): Promise<string | null> {
  if (!isId(id)) return null;
  const pending = await prisma().oauth_authorizations.findUnique({ where: { id }, select: { redirect_uri: true } });
  return pending && new URL(pending.redirect_uri).origin;
}
