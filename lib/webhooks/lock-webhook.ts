import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { isId } from "@/lib/ids";
import { assertPreconditions } from "@/lib/preconditions";
import { holdAppAccess } from "@/lib/webhooks/app-access";
import { noSuchWebhook } from "@/lib/webhooks/webhook-view";

/** A webhook as it is before a change. */
export interface LockedWebhook {
  version: number;
  url: string;
  description: string | null;
  events: string[];
  active: boolean;
  secret: Buffer | null;
}

const LOCK = "SELECT version, url, description, events, active, secret FROM webhooks WHERE organization_id = $1 AND id = $2 FOR UPDATE";

/**
 * Holds a webhook until the transaction ends, if it is as the request expects it, and the access of the app that asks. Lock nothing else after it: who
 * records attempts holds deliveries when it comes here. Throws `not_found`, `precondition_failed` and `forbidden`.
 */
export async function lockWebhook(client: PoolClient, context: Context, id: string): Promise<LockedWebhook> {
  const { organizationId, preconditions } = context;
  await holdAppAccess(client, context);
  const found = isId(id) ? await client.query<LockedWebhook>(LOCK, [organizationId, id]) : null;
  const [row] = found?.rows ?? [];
  if (!row) throw noSuchWebhook();
  assertPreconditions(preconditions, { id, version: row.version });
  return row;
}
