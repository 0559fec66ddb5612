import type { PoolClient } from "pg";

import { newId } from "@/lib/ids";
import { inOrganization } from "@/lib/organization-scope";
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

const INSERT = "INSERT INTO organizations (id, name, created_at) VALUES ($1, $2, $3)";

/** Writes an organization and its first admin within the caller's transaction. */
export async function insertOrganization(client: PoolClient, name: string, admin: Admin): Promise<CreatedOrganization> {
  const organizationId = newId();
  await inOrganization(organizationId, () => client.query(INSERT, [organizationId, name, new Date()]));
  const userId = await insertUser(client, { organizationId, role: "admin", ...admin });
  return { organizationId, userId };
}
