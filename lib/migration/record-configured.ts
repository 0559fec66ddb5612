import type { PoolClient } from "pg";

import { recordAudit } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { type Configuration, MIGRATED_OBJECTS } from "@/lib/migration/schemas";

/** Tells the audit log of changed choices for a migration: for which objects, and whether events are sent where that changed. Nothing where none did. */
export async function recordConfigured(
  client: PoolClient,
  { organizationId, userId, clientId, address }: Context,
  migrationId: string,
  { before, after }: { before: Configuration; after: Configuration },
): Promise<void> {
  const objects = MIGRATED_OBJECTS.filter((name) => canonical(before.objects[name]) !== canonical(after.objects[name]));
  const sends = before.send_events !== after.send_events;
  if (objects.length === 0 && !sends) return;
  const details = { migration_id: migrationId, objects, ...(sends && { send_events: after.send_events }) };
  await recordAudit(client, { organizationId, action: "migration.configured", address, userId, clientId, details });
}

/** The same text for the same choices, in whatever order they were given or kept. An object without choices is one with the defaults. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? { selected: true, fields: {}, values: {} }, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
