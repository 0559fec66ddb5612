import { prisma } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import type { Report } from "@/lib/migration/report/report-schema";

/**
 * Asserts that the connection still leads to the org and the Salesforce user that the report was made of. Throws
 * `conflict` when either differs, and `illegal_state` when the org is disconnected. An id that Salesforce does not give
 * is not compared.
 */
export async function assertSameSource(
  organizationId: string,
  connectionId: string,
  report: Partial<Pick<Report, "org" | "analyzed_as">>,
): Promise<void> {
  const now = await prisma().connections.findFirst({
    where: { organization_id: organizationId, id: connectionId },
    omit: { refresh_token_enc: true },
  });
  if (!now) return;
  if (!now.access_token_enc) throw new AppError("illegal_state", DISCONNECTED);
  if (report.org && differ(report.org.id, now.source_org_id))
    throw otherOrg(report.org.ext_instance_url, now.ext_instance_url);
  const before = report.analyzed_as;
  // The id decides if both are known, since a username can change.
  if (before && (differ(before.user_id, now.source_user_id) ?? differ(before.username, now.source_username)))
    throw otherUser(before.username, now.source_username);
}

const DISCONNECTED =
  "The Salesforce org of this migration is disconnected, so the migration cannot run. Connect the org again as the " +
  "same Salesforce user, then run it.";

/** Null if one of the two is unknown. */
function differ(before: string | null, now: string | null): boolean | null {
  return before === null || now === null ? null : before !== now;
}

function otherUser(before: string | null, now: string | null): AppError {
  return new AppError(
    "conflict",
    `The report was made as ${before ? `the Salesforce user ${before}` : "another Salesforce user"}, and the ` +
      `Salesforce org is now connected as ${now ?? "another user"}, who may see other records. Analyze again, so ` +
      "that the report shows what this user can migrate.",
  );
}

function otherOrg(before: string, now: string): AppError {
  return new AppError(
    "conflict",
    `${now === before ? now : `${now} (before: ${before})`} is now another Salesforce org than the one that the ` +
      "report was made of, as after the refresh of a sandbox. Analyze again, so that the report shows what there is " +
      "to migrate.",
  );
}
