import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { type AuditAction, recordAudit } from "@/lib/security/audit";

/** Who asked for it; a schedule is nobody. */
export type Who = Pick<Context, "userId" | "clientId" | "address"> | null;

export type MigrationAction = Extract<AuditAction, `migration.${string}`>;

const ORG = `SELECT c.source_org_name AS org_name, c.ext_instance_url AS url
  FROM migrations m JOIN connections c ON c.organization_id = m.organization_id AND c.id = m.connection_id
  WHERE m.organization_id = $1 AND m.id = $2`;

/** Records what was done with a migration, with the org that it is of: the log names it also when both are gone. */
export async function auditMigration(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  action: MigrationAction,
  who: Who,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { rows } = await client.query<{ org_name: string | null; url: string }>(ORG, [organizationId, migrationId]);
  const org = rows[0] && { org_name: rows[0].org_name, host: new URL(rows[0].url).host };
  await recordAudit(client, { organizationId, userId: who?.userId ?? null, address: who?.address ?? null }, action, {
    clientId: who?.clientId ?? null,
    details: { migration_id: migrationId, ...org, ...details },
  });
}
