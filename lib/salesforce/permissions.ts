import type { SalesforceClient } from "@/lib/salesforce/client";
import { query, select } from "@/lib/salesforce/query";
import { nullWhenRefused } from "@/lib/salesforce/refusals";

/** System permissions of a Salesforce user, as Salesforce names their fields and shows them. */
export const PERMISSIONS = {
  ViewAllData: "View All Data",
  ModifyAllData: "Modify All Data",
  QueryAllFiles: "Query All Files",
  ViewEncryptedData: "View Encrypted Data",
  ViewSetup: "View Setup and Configuration",
} as const;

export type Permission = keyof typeof PERMISSIONS;

/**
 * Whether the Salesforce user has a permission; null if the org does not say. Each is asked for alone: an org that does
 * not know one refuses the whole query.
 */
export async function hasPermission(
  client: SalesforceClient,
  permission: Permission,
  signal?: AbortSignal,
): Promise<boolean | null> {
  const field = `Permissions${permission}`;
  const soql = select({ fields: [field], from: "UserPermissionAccess", limit: 1 });
  const page = await query(client, soql, { ...(signal && { signal }) }).catch(nullWhenRefused);
  const value = page?.records[0]?.[field];
  return typeof value === "boolean" ? value : null;
}
