import type { Prisma } from "@/lib/generated/prisma/client";
import { newId } from "@/lib/ids";
import { insertUser } from "@/lib/sessions/insert-user";

interface Admin {
  email: string;
  name: string;
  passwordHash: string;
}

export interface CreatedOrganization {
  organizationId: string;
  /** Its first admin. */
  userId: string;
}

/** Writes an organization and its first admin within the caller's transaction. */
export async function insertOrganization(transaction: Prisma.TransactionClient, name: string, admin: Admin): Promise<CreatedOrganization> {
  const organizationId = newId();
  await transaction.organizations.create({ data: { id: organizationId, name, created_at: new Date() } });
  const userId = await insertUser(transaction, { organizationId, role: "admin", ...admin });
  return { organizationId, userId };
}
