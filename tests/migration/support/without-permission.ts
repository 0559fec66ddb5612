import { openClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import type { RunningOrg } from "@/sandbox-org/start";

async function setPermission(org: RunningOrg, permission: string, allowed: boolean): Promise<void> {
  const client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  const { records } = await query(client, "SELECT Id FROM UserPermissionAccess LIMIT 1");
  const fields = { [`Permissions${permission}`]: allowed };
  await org.mutate({ op: "update", object: "UserPermissionAccess", id: String(records[0]?.Id), fields });
}

/** Does some work while the Salesforce user lacks a system permission: `ViewAllData`. */
export async function withoutPermission<Result>(
  org: RunningOrg,
  permission: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await setPermission(org, permission, false);
  try {
    return await work();
  } finally {
    await setPermission(org, permission, true);
  }
}
