import { prisma } from "@/lib/db";
import { inOrganization } from "@/lib/organization-scope";

/** Whether the person is an enabled member of the organization that the client was registered for: only its members can let the client in. */
export async function isMember(userId: string, organizationId: string): Promise<boolean> {
  const where = { user_id: userId, organization_id: organizationId, disabled_at: null };
  return (await inOrganization(organizationId, () => prisma().memberships.count({ where }))) > 0;
}
