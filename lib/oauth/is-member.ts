import { prisma } from "@/lib/db";

/** Whether the person belongs to the organization that the client was registered for: only its members can let the client in. */
export async function isMember(userId: string, organizationId: string): Promise<boolean> {
  return (await prisma().memberships.count({ where: { user_id: userId, organization_id: organizationId, user: { disabled_at: null } } })) > 0;
}
