import { prisma } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import type { Report } from "@/lib/migration/report/report-schema";

/**
 * Refuses to run against another org, or with other permissions, than the report was made of: throws `conflict` when
 * the connection leads to another Salesforce org or user by now, and `illegal_state` when the org is disconnected. What
 * Salesforce does not tell of either is not compared.
 */
export async function assertSameSource(
  organizationId: string,
  connectionId: string,
  report: Partial<Pick<Report, "org" | "analyzed_as">>,
): Promise<void> {
  const now = await prisma().connections.findFirst({ where: { organization_id: organizationId, id: connectionId } });
  if (!now) return;
  if (!now.access_token_enc) throw new AppError("illegal_state", DISCONNECTED);
  if (report.org && differ(report.org.id, now.source_org_id))
    throw otherOrg(report.org.ext_instance_url, now.ext_instance_url);
  const before = report.analyzed_as;
  // A username can be changed; an id stays.
  if (before && (differ(before.user_id, now.source_user_id) ?? differ(before.username, now.source_username)))
    throw otherUser(before.username, now.source_username);
}

const DISCONNECTED =
  "The Salesforce org of this migration is disconnected, so the migration cannot run. Connect the org again as the " +
  "same Salesforce user, then run it.";

/** Null where one of the two is not known. */
function differ(before: string | null, now: string | null): boolean | null {
  return before === null || now === null ? null : before !== now;
}

function otherUser(before: string | null, now: string | null): AppError {
  return new AppError(
    "conflict",
    `The report was made as ${before ? `the Salesforce user ${before}` : "another Salesforce user"}, and the ` +
      "Salesforce org is now connected as " +
      `${now ?? "another user"}, who may see other records. Analyze again, so that the report says what this user ` +
      "can migrate.",
  );
}

function otherOrg(before: string, now: string): AppError {
  return new AppError(
    "conflict",
    "The report was made of another Salesforce org than the one that " +
      `${now === before ? now : `${now} (before: ${before})`} says it is by now, as a ` +
      "refreshed sandbox does. Analyze again, so that the report says what there is to migrate.",
  );
}
