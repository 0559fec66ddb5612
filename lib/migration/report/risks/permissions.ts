import { objectName, OPTIONAL_OBJECTS, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { type Permission, PERMISSIONS } from "@/lib/salesforce/permissions";

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
