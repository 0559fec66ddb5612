import type { RiskCheck, ReportFacts } from "@/lib/migration/report/facts";
import type { Risk, Report } from "@/lib/migration/report/report-schema";
import {
  partialView,
  unreadableFields,
  unreadableObjects,
  unreadableParents,
  uncountedObjects,
  apiBudget,
  shortLivedToken,
} from "@/lib/migration/report/risks/access";
import {
  archivedActivities,
  attachments,
  emailsOutsideCases,
  personAccounts,
  privateContacts,
} from "@/lib/migration/report/risks/activities-and-people";
import { activeAutomations, customObjects, files, plannedObjects } from "@/lib/migration/report/risks/left-behind";
import {
  orphanedComments,
  orphanedEmails,
  copiesOfEmails,
  inviteeCopies,
  postsWithoutContent,
  recurringSeries,
} from "@/lib/migration/report/risks/left-out";
import { owners } from "@/lib/migration/report/risks/owners";
import { picklistValuesAtRisk } from "@/lib/migration/report/risks/picklists";
import { importSentence, type LeftOut } from "@/lib/migration/report/wording";

/** All checks. Within one severity, findings are shown in this order. */
const CHECKS: readonly RiskCheck[] = [
  unreadableObjects,
  unreadableParents,
  uncountedObjects,
  apiBudget,
  partialView,
  unreadableFields,
  shortLivedToken,
  owners,
  picklistValuesAtRisk,
  orphanedComments,
  orphanedEmails,
  attachments,
  files,
  plannedObjects,
  customObjects,
  activeAutomations,
  archivedActivities,
  emailsOutsideCases,
  personAccounts,
  privateContacts,
  copiesOfEmails,
  recurringSeries,
  inviteeCopies,
  postsWithoutContent,
];

const SEVERITIES: readonly Risk["severity"][] = ["blocking", "warning", "info"];

/**
 * What may go wrong, the most severe first. Checks run one after the other: an analysis must not load the org
 * noticeably.
 */
export async function findRisks(facts: ReportFacts): Promise<Risk[]> {
  const risks: Risk[] = [];
  for (const check of CHECKS) risks.push(...(await check(facts)));
  return SEVERITIES.flatMap((severity) => risks.filter((risk) => risk.severity === severity));
}

const WARNING_COST = 6;

const MAX_WARNING_COST = 45;

const BLOCKING_COST = 30;

/** With a blocking risk, an org is less than half ready. */
const MAX_BLOCKED_SCORE = 45;

/** The score and verdict, with the findings that they result from. */
export function readinessOf(
  risks: readonly Risk[],
  estimate: Report["estimate"],
  leftOut: readonly LeftOut[],
): Report["readiness"] {
  const blocking = risks.filter(({ severity }) => severity === "blocking");
  const warnings = risks.filter(({ severity }) => severity === "warning");
  const full = 100 - Math.min(MAX_WARNING_COST, warnings.length * WARNING_COST);
  const score =
    blocking.length > 0 ? Math.max(0, Math.min(MAX_BLOCKED_SCORE, full - blocking.length * BLOCKING_COST)) : full;
  const verdict = blocking.length > 0 ? "not_ready" : warnings.length > 0 ? "ready_with_warnings" : "ready";
  const found = [...blocking, ...warnings].map(({ title }) => `${title}.`);
  return {
    score,
    verdict,
    reasons: [importSentence(estimate, leftOut), ...(found.length > 0 ? found : ["Nothing prevents the migration."])],
  };
}
