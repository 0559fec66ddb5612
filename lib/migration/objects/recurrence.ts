import type { Skip } from "@/lib/migration/objects/declaration";
import type { SourceRecord } from "@/lib/salesforce/query";

const HAS_OCCURRENCES = "hasOccurrences";

/** Whether a record is the pattern of a recurring series. */
export function isPattern(record: SourceRecord): boolean {
  return record.IsRecurrence === true;
}

/** Notes that occurrences of a pattern are imported. */
export function markOccurring(pattern: SourceRecord): void {
  pattern[HAS_OCCURRENCES] = true;
}

/** A pattern is no activity where its occurrences are: each is a record of its own (Salesforce Object Reference, Task and Event). */
export function recurrenceMaster(record: SourceRecord): Skip | null {
  if (!isPattern(record) || record[HAS_OCCURRENCES] !== true) return null;
  return {
    code: "recurrence_series",
    reason: "This is the pattern of a recurring series. Its occurrences are records of their own and are imported instead.",
    field: "IsRecurrence",
    value: "true",
  };
}
