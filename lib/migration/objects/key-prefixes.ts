import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { isRecordId } from "@/lib/salesforce/ids";
import type { SourceRecord } from "@/lib/salesforce/query";

/** The first three characters of the ids of an object (Salesforce Object Reference, "Key prefixes"). */
export const KEY_PREFIXES: Record<SourceObjectName, string> = {
  Account: "001",
  Contact: "003",
  Case: "500",
  CaseComment: "00a",
  EmailMessage: "02s",
  FeedItem: "0D5",
  FeedComment: "0D7",
  Task: "00T",
  Event: "00U",
  Product2: "01t",
  Opportunity: "006",
  Lead: "00Q",
};

// The same of objects that a migration reads, and that become no records.
export const USER = "005";
export const QUEUE = "00G";
export const CONTENT_VERSION = "068";
export const CONTENT_DOCUMENT = "069";

const BY_PREFIX = new Map(Object.entries(KEY_PREFIXES).map(([object, prefix]) => [prefix, object as SourceObjectName]));

/** SOQL: selects the records whose field has an id with this prefix, whether or not a relationship leads there. */
export function hasPrefix(field: string, prefix: string): [from: string, before: string] {
  return [`${field} >= '${prefix}000000000000'`, `${field} < '${nextPrefix(prefix)}000000000000'`];
}

/** SOQL: selects the records whose field has no id with this prefix. */
export function lacksPrefix(field: string, prefix: string): string {
  return `(${field} = null OR ${field} < '${prefix}000000000000' OR ${field} >= '${nextPrefix(prefix)}000000000000')`;
}

/** The key prefix that follows in the order of ids: digits come before letters. */
function nextPrefix(prefix: string): string {
  const last = prefix.charCodeAt(2);
  return prefix.slice(0, 2) + (prefix[2] === "9" ? "A" : String.fromCharCode(last + 1));
}

/** The ids of the users and queues that a record names in its own fields. */
export function peopleIn(record: SourceRecord): string[] {
  return Object.values(record).filter(
    (value): value is string => isRecordId(value) && (value.startsWith(USER) || value.startsWith(QUEUE)),
  );
}

/** The migrated object that an id belongs to. */
export function objectOf(id: string): SourceObjectName | undefined {
  return BY_PREFIX.get(id.slice(0, 3));
}
