import { isRead } from "@/lib/migration/configuration/mapping-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { MAX_JOB_RECORDS } from "@/lib/migration/pipeline/read/bulk-job";
import { type ApiChoice, chooseApi } from "@/lib/migration/pipeline/read/choose-api";
import { MAX_RESULT_RECORDS } from "@/lib/migration/pipeline/read/read-by-bulk";
import type { ObjectMapping } from "@/lib/migration/report/map-object";
import { isBulkType } from "@/lib/salesforce/bulk-query";

/** What is left of the org's limits; null if the org does not say. */
export interface RemainingLimits {
  /** API requests. */
  callsRemaining: number | null;
  /** Jobs of the Bulk API. */
  bulkJobsRemaining: number | null;
}

/** Requests per job of Bulk API 2.0: create it, ask whether it is complete, delete it. */
const CALLS_PER_JOB = 12;

/** A field that a run reads and Bulk API 2.0 cannot return, or null. */
function unsupportedField(object: SourceObjectName, { fields }: ObjectMapping): string | null {
  const { ignoredFields } = SOURCE_OBJECTS[object];
  const read = fields.filter(({ source, type }) => isRead({ name: source, type }, ignoredFields));
  return read.find(({ type }) => !isBulkType(type))?.source ?? null;
}

/** Whether a run could read the object by Bulk API 2.0 at all. */
export function canReadByBulk(object: SourceObjectName, mapping: ObjectMapping): boolean {
  return SOURCE_OBJECTS[object].maxPageRecords === undefined && unsupportedField(object, mapping) === null;
}

/** The API that a run chooses for an object, by the same rules, with what is left of the org's limits now. */
export function planApi(
  object: SourceObjectName,
  records: number,
  mapping: ObjectMapping,
  { callsRemaining, bulkJobsRemaining }: RemainingLimits,
): Promise<ApiChoice> {
  return chooseApi({
    setting: "auto",
    records,
    unsupportedField: unsupportedField(object, mapping),
    hasPageLimit: SOURCE_OBJECTS[object].maxPageRecords !== undefined,
    limits: () => ({ requests: callsRemaining, bulkJobs: bulkJobsRemaining }),
  });
}

/** The requests that reading so many records by jobs takes. */
export function bulkCalls(records: number): number {
  return Math.ceil(records / MAX_RESULT_RECORDS) + Math.ceil(records / MAX_JOB_RECORDS) * CALLS_PER_JOB;
}
