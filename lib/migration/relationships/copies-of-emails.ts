import { IS_CLOSED } from "@/lib/migration/objects/email-task";
import { KEY_PREFIXES, lacksPrefix } from "@/lib/migration/objects/key-prefixes";
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

/** SOQL: selects the e-mails of no case. They become activities. `canSee`: which of their fields the user sees. */
export function emailsOutsideCases(canSee: (field: string) => boolean): string[] {
  return ["ParentId = null", ...(canSee("RelatedToId") ? [lacksPrefix("RelatedToId", KEY_PREFIXES.Case)] : [])];
}

/** SOQL: selects the e-mails that are imported: those of no case, and, if cases are, those whose ParentId exists. */
export function importedEmails(canSee: (field: string) => boolean, areCasesImported: boolean): string[] {
  if (!canSee("ParentId")) return [];
  return areCasesImported
    ? ["(ParentId = null OR (Parent.Id != null AND Parent.IsDeleted = false))"]
    : emailsOutsideCases(canSee);
}

/** {@link importedEmails} of a run that reads the selected objects. */
export function selectedEmails(seen: Seen): string[] {
  return importedEmails((field) => sees(seen, "EmailMessage", field), seen.selected.has("Case"));
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
  const where = [NOT_DELETED, "ActivityId != null", ...selectedEmails(seen)];
  const unnamed = `Id NOT IN (${select({ fields: ["ActivityId"], from: "EmailMessage", where })})`;
  const closed = closedTasks(seen);
  return closed.length === 0 ? [[unnamed]] : [[...closed, unnamed], [`${IS_CLOSED} = false`]];
}
