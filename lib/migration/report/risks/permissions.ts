import { objectName, OPTIONAL_OBJECTS, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { answerWithin } from "@/lib/migration/report/answer-within";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { query, select } from "@/lib/salesforce/query";

/** System permissions of a Salesforce user, as Salesforce names their fields and shows them. */
const PERMISSIONS = {
  ViewAllData: "View All Data",
  ModifyAllData: "Modify All Data",
  QueryAllFiles: "Query All Files",
  ViewEncryptedData: "View Encrypted Data",
} as const;

type Permission = keyof typeof PERMISSIONS;

/**
 * Whether the Salesforce user has a permission; null if the org does not say. Each is asked for alone: an org that does
 * not know one refuses the whole query.
 */
export async function hasPermission(client: SalesforceClient, permission: Permission): Promise<boolean | null> {
  const field = `Permissions${permission}`;
  const soql = select({ fields: [field], from: "UserPermissionAccess", limit: 1 });
  const page = await answerWithin((signal) => query(client, soql, { signal }));
  const value = page?.records[0]?.[field];
  return typeof value === "boolean" ? value : null;
}

/** What an administrator of the org does so that the Salesforce user has a permission. */
export function givePermission(permission: Permission): string {
  const place = "Setup › Permission Sets › System Permissions";
  return `Give the user “${PERMISSIONS[permission]}” in a permission set (${place})`;
}

/**
 * What an administrator of the org does so that the Salesforce user can read an object. Feeds have no settings of an
 * object: “View All Data” opens them (Object Reference, FeedComment, "Usage").
 */
export function giveAccess(object: SourceObjectName): string {
  return OPTIONAL_OBJECTS.has(object)
    ? givePermission("ViewAllData")
    : `Give the user “Read” and “View All” for ${objectName(object)} in a permission set (Setup › Permission Sets › ` +
        "Object Settings)";
}
