import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import type { Relationship } from "@/lib/migration/objects/relationships";

/** SOQL: selects the records that have a link. */
export function linkConditions(object: MigratedObjectName, { field, prefix, required }: Relationship): string[] {
  const named =
    prefix === null
      ? [`${field} != null`]
      : [`${field} >= '${prefix}000000000000'`, `${field} < '${nextPrefix(prefix)}000000000000'`];
  // An e-mail of a case is an entry of its thread, whatever else it is related to.
  return object === "EmailMessage" && !required ? [...named, "ParentId = null"] : named;
}

/** The key prefix that follows in the order of ids: digits come before letters. */
function nextPrefix(prefix: string): string {
  const last = prefix.charCodeAt(2);
  return prefix.slice(0, 2) + (prefix[2] === "9" ? "A" : String.fromCharCode(last + 1));
}
