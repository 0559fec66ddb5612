import { transaction } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import type { RunKey } from "@/lib/migration/migration-schema";
import { startRun } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

interface Owner {
  organizationId: string;
  userId: string;
}

function field(source: string, target: string | null, type = "string", extra: object = {}) {
  return { source, label: source, type, custom: false, target, confidence: "exact", note: null, samples: [], ...extra };
}

function value(source: string, count: number | null) {
  return { source, count, active: true, suggestion: null };
}

/** The parts of a report that the endpoints read. */
export const REPORT = {
  generated_at: "2026-01-01T00:00:00.000Z",
  inventory: [
    {
      object: "Account",
      status: "automatic",
      reason: "",
      fields: [field("Id", "ext_id", "id"), field("Name", "name"), field("Fax", "custom_fields")],
    },
    {
      object: "Case",
      status: "automatic",
      reason: "",
      fields: [
        field("Status", "status", "picklist", { values: [value("Neu", 3), value("Geparkt", 0)] }),
        field("Priority", "priority", "picklist", { values: [value("Hoch", null)] }),
        field("Subject", "subject"),
        field("Odd/~Name", "custom_fields"),
        field("ContactId", "contact_id", "reference"),
      ],
    },
    {
      object: "CaseComment",
      status: "automatic",
      reason: "",
      fields: [field("ParentId", "case_id", "reference")],
    },
    { object: "Task", status: "not_supported", reason: "The Salesforce user may not read it.", fields: [] },
    { object: "Lead", status: "planned", reason: "", fields: [] },
  ],
};

/** Inserts a migration that has been analyzed, and returns its id. */
export async function createReady({ organizationId, userId }: Owner): Promise<string> {
  const [connection, migration] = [newId(), newId()];
  await pool().query(
    `INSERT INTO connections
       (id, organization_id, ext_instance_url, access_token_enc, created_by_id, created_at, updated_at)
     VALUES ($1, $2, 'https://acme.my.salesforce.com', '', $3, now(), now())`,
    [connection, organizationId, userId],
  );
  await pool().query(
    `INSERT INTO migrations (organization_id, id, created_at, updated_at, connection_id, created_by_id, status, report)
     VALUES ($1, $2, now(), now(), $3, $4, 'ready', $5)`,
    [organizationId, migration, connection, userId, REPORT],
  );
  return migration;
}

export async function setStatus(id: string, status: string): Promise<void> {
  await pool().query(`UPDATE migrations SET status = $2::migration_status WHERE id = $1`, [id, status]);
}

/** Moves the migration to `running` without a worker. */
export function begin({ organizationId }: Pick<Owner, "organizationId">, id: string): Promise<RunKey> {
  return transaction((client) => startRun(client, { organizationId, migrationId: id }));
}
