import type { PoolClient } from "pg";

import { AppError } from "@/lib/errors";
import type { Report } from "@/lib/migration/schemas";

/**
 * Refuses to run with other permissions than the report was made with: throws `conflict` when the connection is that of another Salesforce
 * user by now. What Salesforce does not tell of a user is not compared.
 */
export async function checkSameUser(
  client: PoolClient,
  organizationId: string,
  connectionId: string,
  analyzedAs: Report["analyzed_as"] | undefined,
): Promise<void> {
  if (!analyzedAs) return;
  const found = await client.query<{ source_user_id: string | null; source_username: string | null }>(
    `SELECT source_user_id, source_username FROM connections WHERE organization_id = $1 AND id = $2`,
    [organizationId, connectionId],
  );
  const { source_user_id: id = null, source_username: username = null } = found.rows[0] ?? {};
  // A username can be changed; an id stays.
  if (differ(analyzedAs.user_id, id) ?? differ(analyzedAs.username, username) ?? false) throw otherUser(analyzedAs.username, username);
}

/** Null where one of the two is not known. */
function differ(before: string | null, now: string | null): boolean | null {
  return before === null || now === null ? null : before !== now;
}

function otherUser(before: string | null, now: string | null): AppError {
  return new AppError(
    "conflict",
    `The report was made as ${before ? `the Salesforce user ${before}` : "another Salesforce user"}, and the Salesforce org is connected as ` +
      `${now ?? "another user"} by now, who may see other records. Analyze again, so that the report says what this user can migrate.`,
  );
}
