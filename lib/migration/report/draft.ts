import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { cleanJson } from "@/lib/migration/objects/declaration";
import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { ObjectMapping } from "@/lib/migration/report/map-object";
import type { MeasuredFiles } from "@/lib/migration/report/measures/measure-files";
import type { DuplicatesOfObject, Quality } from "@/lib/migration/report/quality/quality-schema";
import type { Report, Risk } from "@/lib/migration/report/report-schema";
import type { Survey } from "@/lib/migration/report/survey";
import type { LeftOutByObject } from "@/lib/migration/report/wording";
import type { MigrationKey } from "@/lib/migration/migration-schema";

/** The findings of the steps so far. The draft is stored in the column of the report, which replaces it. */
export interface ReportDraft {
  /** The objects that are counted so far, for those who wait. */
  counted?: Survey["objects"];
  survey?: Survey;
  automations?: Report["automations"];
  automationList?: Report["automation_list"];
  apiVersions?: Report["api_versions"];
  /** API requests that are left; null if the org does not say. */
  callsRemaining?: number | null;
  /** Jobs of the Bulk API that are left; null if the org does not say. */
  bulkJobsRemaining?: number | null;
  /** API requests in 24 hours; null if the org does not say. */
  callsDaily?: number | null;
  /** The files of the org; null if the Salesforce user may not see them. */
  files?: MeasuredFiles | null;
  /** The records that a run is expected to leave out. */
  leftOut?: LeftOutByObject;
  /** The records whose links will lead nowhere. */
  orphans?: Quality["orphans"];
  risks?: Risk[];
}

type Mappings = Partial<Record<SourceObjectName, ObjectMapping>>;

const MAPPING = "mapping:";

const DUPLICATES = "duplicates:";

/**
 * In bytes of JSON: twice what an org with 3,000 custom fields and 2,000 custom objects needs. The report is read
 * completely whenever a migration is reported, configured or started.
 */
const MAX_REPORT_BYTES = 4 * 1024 * 1024;

/** The JSON of a draft or report. Throws `source_error` if it is larger than {@link MAX_REPORT_BYTES}. */
export function toBoundedJson(found: object): string {
  const json = JSON.stringify(cleanJson(found));
  if (Buffer.byteLength(json) > MAX_REPORT_BYTES) throw tooLarge();
  return json;
}

function tooLarge(): AppError {
  return new AppError(
    "source_error",
    "The Salesforce org has more objects, fields and picklist values than fit into a report of " +
      `${MAX_REPORT_BYTES / 1024 / 1024} MiB. Connect as a Salesforce user who may see fewer of them.`,
  );
}

async function mergeIntoDraft(key: MigrationKey, found: Record<string, unknown>): Promise<void> {
  const { rows } = await pool().query<{ bytes: number }>(
    `UPDATE migrations SET report = coalesce(report, '{}') || $3::jsonb
     WHERE organization_id = $1 AND id = $2 AND status = 'analyzing'
     RETURNING octet_length(report::text) AS bytes`,
    [key.organizationId, key.migrationId, toBoundedJson(found)],
  );
  // The caller ends the analysis and thereby deletes the draft.
  if (rows[0] && rows[0].bytes > MAX_REPORT_BYTES) throw tooLarge();
}

/** Adds findings to the draft. Does nothing once the analysis has ended. */
export function keepFindings(key: MigrationKey, found: ReportDraft): Promise<void> {
  return mergeIntoDraft(key, { ...found });
}

export function keepMapping(key: MigrationKey, object: SourceObjectName, mapping: ObjectMapping): Promise<void> {
  return mergeIntoDraft(key, { [`${MAPPING}${object}`]: mapping });
}

export function keepDuplicates(key: MigrationKey, object: SourceObjectName, found: DuplicatesOfObject): Promise<void> {
  return mergeIntoDraft(key, { [`${DUPLICATES}${object}`]: found });
}

type WholeDraft = ReportDraft & { mappings: Mappings; duplicates: DuplicatesOfObject[] };

/** All findings so far. */
export async function readDraft(key: MigrationKey): Promise<WholeDraft> {
  const { rows } = await pool().query<{ report: Record<string, unknown> | null }>(
    `SELECT report FROM migrations WHERE organization_id = $1 AND id = $2`,
    [key.organizationId, key.migrationId],
  );
  const stored = rows[0]?.report ?? {};
  const found = (prefix: string) =>
    IMPORT_ORDER.flatMap((name) => {
      const part = stored[`${prefix}${name}`];
      return part === undefined ? [] : [[name, part] as const];
    });
  return {
    ...(stored as ReportDraft),
    mappings: Object.fromEntries(found(MAPPING)) as Mappings,
    duplicates: found(DUPLICATES).map(([, part]) => part as DuplicatesOfObject),
  };
}
