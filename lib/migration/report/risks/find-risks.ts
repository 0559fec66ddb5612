import type { RiskCheck, ReportFacts } from "@/lib/migration/report/facts";
import type { Risk } from "@/lib/migration/report/report-schema";
import {
  partialView,
  unreadableFields,
  unreadableObjects,
  unreadableParents,
  uncountedObjects,
} from "@/lib/migration/report/risks/access";
import {
  archivedActivities,
  attachments,
  emailsOutsideCases,
  furtherPeople,
  hiddenEmails,
  personAccounts,
} from "@/lib/migration/report/risks/activities-and-people";
import { amountsWithoutCurrency } from "@/lib/migration/report/risks/amounts-without-currency";
import { calculatedFields } from "@/lib/migration/report/risks/calculated-fields";
import { maskedFields } from "@/lib/migration/report/risks/encrypted-fields";
import { addExamples } from "@/lib/migration/report/risks/example-records";
import { fieldHistory } from "@/lib/migration/report/risks/field-history";
import { files } from "@/lib/migration/report/risks/files";
import { apiBudget, shortLivedToken } from "@/lib/migration/report/risks/interruptions";
import {
  activeAutomations,
  customObjects,
  plannedObjects,
  standardObjects,
} from "@/lib/migration/report/risks/left-behind";
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
import { privateContacts, privateRecords } from "@/lib/migration/report/risks/private-records";
import { imagesInRichText } from "@/lib/migration/report/risks/rich-text";

/** All checks. Within one severity, findings are shown in this order. */
const CHECKS: readonly RiskCheck[] = [
  unreadableObjects,
  unreadableParents,
  uncountedObjects,
  apiBudget,
  partialView,
  unreadableFields,
  maskedFields,
  shortLivedToken,
  owners,
  picklistValuesAtRisk,
  orphanedComments,
  orphanedEmails,
  attachments,
  hiddenEmails,
  privateRecords,
  furtherPeople,
  files,
  imagesInRichText,
  plannedObjects,
  customObjects,
  standardObjects,
  calculatedFields,
  fieldHistory,
  activeAutomations,
  archivedActivities,
  emailsOutsideCases,
  personAccounts,
  privateContacts,
  amountsWithoutCurrency,
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
  const sorted = SEVERITIES.flatMap((severity) => risks.filter((risk) => risk.severity === severity));
  return addExamples(facts, sorted);
}
