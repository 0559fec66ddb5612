import type { RiskCheck, RiskFacts } from "@/lib/migration/report/risk-check";
import { partialView, unreadableFields, unreadableObjects, unreadableParents } from "@/lib/migration/report/risks/access";
import { archivedActivities, attachments, emailsOutsideCases } from "@/lib/migration/report/risks/activities";
import { apiBudget, shortLivedToken } from "@/lib/migration/report/risks/budget";
import { activeAutomations, customObjects, files, plannedObjects } from "@/lib/migration/report/risks/left-behind";
import { orphanedComments, orphanedEmails } from "@/lib/migration/report/risks/orphans";
import { owners } from "@/lib/migration/report/risks/owners";
import { personAccounts, privateContacts } from "@/lib/migration/report/risks/people";
import { picklistValuesAtRisk } from "@/lib/migration/report/risks/picklists";
import { copiesOfEmails, inviteeCopies, recurringSeries } from "@/lib/migration/report/risks/skipped";
import { uncountedObjects } from "@/lib/migration/report/risks/uncounted";
import type { Risk } from "@/lib/migration/schemas";

/** Every check, in the order in which findings of one severity are shown. */
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
];

const SEVERITIES: readonly Risk["severity"][] = ["blocking", "warning", "info"];

/** What may go wrong, the worst first. Checks ask one after the other: an analysis must not be felt in the org. */
export async function findRisks(facts: RiskFacts): Promise<Risk[]> {
  const risks: Risk[] = [];
  for (const check of CHECKS) risks.push(...(await check(facts)));
  return SEVERITIES.flatMap((severity) => risks.filter((risk) => risk.severity === severity));
}
