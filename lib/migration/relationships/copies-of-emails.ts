import { IS_CLOSED } from "@/lib/migration/objects/email-task";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { ObjectReport } from "@/lib/migration/report/report-schema";
import { select } from "@/lib/salesforce/query";

export const NOT_DELETED = "IsDeleted = false";

export interface Seen {
  /** The objects that the run will read, with the fields that the Salesforce user may see. */
  selected: ReadonlyMap<SourceObjectName, ObjectReport>;
}

/** Whether the Salesforce user sees a field of an object that is selected. */
export function sees({ selected }: Seen, object: SourceObjectName, field: string): boolean {
  return selected.get(object)?.fields.some(({ source }) => source === field) ?? false;
}

/** SOQL: selects the e-mails whose case exists, and those without one. */
export function importedEmails(seen: Seen): string[] {
  if (!sees(seen, "EmailMessage", "ParentId")) return [];
  return seen.selected.has("Case")
    ? ["(ParentId = null OR (Parent.Id != null AND Parent.IsDeleted = false))"]
    : ["ParentId = null"];
}

/** SOQL: selects the tasks that can be copies of e-mails. */
export function closedTasks(seen: Seen): string[] {
  return sees(seen, "Task", IS_CLOSED) ? [`${IS_CLOSED} = true`] : [];
}

/**
 * SOQL: selects the tasks that are no copies of imported e-mails, in two parts, because no subquery may stand beside OR
 * (SOQL and SOSL Reference, “Comparison Operators”).
 */
export function tasksThatAreNoCopies(seen: Seen): string[][] {
  if (!sees(seen, "EmailMessage", "ActivityId")) return [[]];
  const where = [NOT_DELETED, "ActivityId != null", ...importedEmails(seen)];
  const unnamed = `Id NOT IN (${select({ fields: ["ActivityId"], from: "EmailMessage", where })})`;
  const closed = closedTasks(seen);
  return closed.length === 0 ? [[unnamed]] : [[...closed, unnamed], [`${IS_CLOSED} = false`]];
}
