import { pool } from "@/lib/db";
import { cleanJson } from "@/lib/migration/objects/clean-text";
import type { ObjectMapping } from "@/lib/migration/report/map-object";
import type { LeftOutByObject } from "@/lib/migration/report/left-out";
import type { Survey } from "@/lib/migration/report/survey";
import type { MigratedObjectName, Report, Risk } from "@/lib/migration/schemas";
import type { MigrationKey } from "@/lib/migration/state";

/** What the steps of an analysis have found so far. It stands where the report will stand, and is replaced by it. */
export interface Draft {
  survey?: Survey;
  automations?: Report["automations"];
  /** How many API requests are left; null when the org does not say. */
  callsRemaining?: number | null;
  /** What a run will leave out. */
  leftOut?: LeftOutByObject;
  risks?: Risk[];
}

type Mappings = Partial<Record<MigratedObjectName, ObjectMapping>>;

const MAPPING = "mapping:";

async function add(key: MigrationKey, found: Record<string, unknown>): Promise<void> {
  await pool().query(
    `UPDATE migrations SET report = coalesce(report, '{}') || $3::jsonb WHERE organization_id = $1 AND id = $2 AND state = 'analyzing'`,
    [key.organizationId, key.migrationId, JSON.stringify(cleanJson(found))],
  );
}

/** Keeps what a step has found. Nothing happens once the analysis is over. */
export function keepFindings(key: MigrationKey, found: Draft): Promise<void> {
  return add(key, { ...found });
}

export function keepMapping(key: MigrationKey, object: MigratedObjectName, mapping: ObjectMapping): Promise<void> {
  return add(key, { [`${MAPPING}${object}`]: mapping });
}

/** Everything found so far. */
export async function readDraft(key: MigrationKey): Promise<Draft & { mappings: Mappings }> {
  const found = await pool().query<{ report: Record<string, unknown> | null }>(
    `SELECT report FROM migrations WHERE organization_id = $1 AND id = $2`,
    [key.organizationId, key.migrationId],
  );
  const stored = found.rows[0]?.report ?? {};
  const mappings = Object.entries(stored).filter(([name]) => name.startsWith(MAPPING));
  return { ...(stored as Draft), mappings: Object.fromEntries(mappings.map(([name, mapping]) => [name.slice(MAPPING.length), mapping])) as Mappings };
}
