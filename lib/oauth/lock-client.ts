import type { PoolClient } from "pg";

import { isId } from "@/lib/ids";

/** What of a client an admin may change. */
export interface EditableFields {
  name: string;
  redirect_uris: string[];
}

const LOCK = "SELECT name, redirect_uris FROM oauth_clients WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL FOR UPDATE";

/** Holds a client that has not been revoked until the transaction ends, so that changes by two admins come one after the other. */
export async function lockClient(client: PoolClient, organizationId: string, id: string): Promise<EditableFields | undefined> {
  if (!isId(id)) return undefined;
  const { rows } = await client.query<EditableFields>(LOCK, [organizationId, id]);
  return rows[0];
}
