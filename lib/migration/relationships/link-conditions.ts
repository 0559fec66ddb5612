import { hasPrefix } from "@/lib/migration/objects/key-prefixes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { Relationship } from "@/lib/migration/objects/relationships";
import { emailsOutsideCases, type Seen, sees } from "@/lib/migration/relationships/copies-of-emails";
import { select } from "@/lib/salesforce/query";

/** SOQL: selects the records that have a link. */
export function linkConditions(
  seen: Seen,
  object: SourceObjectName,
  { field, prefix, required }: Relationship,
): string[] {
  const named = prefix === null ? [`${field} != null`] : hasPrefix(field, prefix);
  // An e-mail of a case is an entry of its thread, whatever else it is related to.
  if (object !== "EmailMessage" || required) return named;
  return [...named, ...emailsOutsideCases((other) => sees(seen, "EmailMessage", other))];
}

/**
 * SOQL: selects, of the records with a link to a record of `parent`, those whose other record is deleted or hidden.
 * Salesforce refuses a subquery on the object that is asked for (SOQL and SOSL Reference, “Comparison Operators”). Then
 * the relationship leads there, and is null if the other record is hidden (“null Values in Lookup Relationships and
 * Outer Joins”).
 */
export function withoutOther(object: SourceObjectName, { field }: Relationship, parent: SourceObjectName): string {
  if (parent !== object)
    return `${field} NOT IN (${select({ fields: ["Id"], from: parent, where: ["IsDeleted = false"] })})`;
  const other = relationshipNameOf(field);
  return `(${other}.Id = null OR ${other}.IsDeleted = true)`;
}

/** ReportsToId → ReportsTo, Mentor__c → Mentor__r; of the contact of a person account Mentor__pc → Mentor__pr. */
function relationshipNameOf(field: string): string {
  return /__p?c$/.test(field) ? field.replace(/c$/, "r") : field.replace(/Id$/, "");
}
