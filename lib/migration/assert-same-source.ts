import { prisma } from "@/lib/database/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { Report } from "@/lib/migration/report/report-schema";
import { canBeSameOrg } from "@/lib/salesforce/instance-url";

/**
 * Asserts that the connection still leads to the org and the Salesforce user that the report was made of. Throws
 * `conflict` when either differs, and `illegal_state` when the org is disconnected. An id that Salesforce does not give
 * is not compared. `address`: the one that the org had; another one must be believable as well.
 */
export async function assertSameSource(
  organizationId: string,
  connectionId: string,
  report: Partial<Pick<Report, "org" | "analyzed_as">>,
  address?: string,
): Promise<void> {
  const now = await prisma().connections.findFirst({
    where: { organization_id: organizationId, id: connectionId },
    omit: { refresh_token_enc: true },
  });
  if (!now) return;
  if (!now.access_token_enc) throw new AppError("illegal_state", DISCONNECTED);
  if (report.org && differ(report.org.id, now.source_org_id))
    throw otherOrg(report.org.ext_instance_url, now.ext_instance_url);
  if (address !== undefined) assertCanHaveMoved(address, now, report.org);
  const before = report.analyzed_as;
  // The id decides if both are known, since a username can change.
  if (before && (differ(before.user_id, now.source_user_id) ?? differ(before.username, now.source_username)))
    throw otherUser(before.username, now.source_username);
}

const DISCONNECTED =
  "The Salesforce org of this migration is disconnected, so the migration cannot run. Connect the org again as the " +
  "same Salesforce user, then run it.";

/** An org can get another address of Salesforce; in a private network, where there is none, it must name its id. */
function assertCanHaveMoved(
  before: string,
  { ext_instance_url: now, source_org_id: orgId }: { ext_instance_url: string; source_org_id: string | null },
  org: Report["org"] | undefined,
): void {
  if (canBeSameOrg(before, now)) return;
  if (env.ALLOW_PRIVATE_NETWORK && org && differ(org.id, orgId) === false) return;
  throw new AppError(
    "conflict",
    `Nothing but ${now} itself says that it is the Salesforce org that was at ${before}. An org can get another ` +
      "address of Salesforce only. To migrate what is at this one, analyze it.",
  );
}

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
