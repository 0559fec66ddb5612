import type { Skip, SourceRecord } from "@/lib/migration/objects/declaration";

/** The pattern of a series is no activity: each occurrence is a record of its own (Salesforce Object Reference, Task and Event). */
export function recurrenceMaster(record: SourceRecord): Skip | null {
  if (record.IsRecurrence !== true) return null;
  return {
    code: "recurrence_series",
    reason: "This is the pattern of a recurring series. Its occurrences are records of their own and are imported.",
    field: "IsRecurrence",
    value: "true",
  };
}
