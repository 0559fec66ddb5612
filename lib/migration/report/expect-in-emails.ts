import { wholeSum } from "@/lib/amounts";
import { IS_CLOSED } from "@/lib/migration/objects/email-task";
import { hasPrefix, KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import { emailsOutsideCases, importedEmails } from "@/lib/migration/relationships/copies-of-emails";
import { answerWithin } from "@/lib/migration/report/answer-within";
import { canSeeField, isImportable, type ReportFacts } from "@/lib/migration/report/facts";
import { countRecords } from "@/lib/migration/report/survey";
import { query, select } from "@/lib/salesforce/query";

type Facts = Pick<ReportFacts, "client" | "survey" | "mappings">;

type Seen = Omit<Facts, "client">;

/** Selects records whose case is not imported, because it is deleted or hidden from the Salesforce user. */
export const WITHOUT_CASE = withoutCase("ParentId");

function withoutCase(field: string): string {
  return `${field} NOT IN (SELECT Id FROM Case WHERE IsDeleted = false)`;
}

/** Selects e-mails without a case. They become activities. */
export function emailsOutsideCasesIn(facts: Pick<Seen, "mappings">): string[] {
  return emailsOutsideCases((field) => canSeeField(facts, "EmailMessage", field));
}

/** Selects e-mails whose case only RelatedToId names. */
const RELATED_TO_CASE = ["ParentId = null", ...hasPrefix("RelatedToId", KEY_PREFIXES.Case)];

/**
 * Selects e-mails that fail because their case is not imported, by each field that names it: no subquery may stand
 * beside OR (SOQL and SOSL Reference, “Comparison Operators”).
 */
export function emailsWithoutCaseIn(facts: Seen): [byParent: string[], ...byRelated: string[][]] {
  const missing = (field: string) => (isImportable(facts, "Case") ? [withoutCase(field)] : []);
  const byParent = ["ParentId != null", ...missing("ParentId")];
  return canSeeField(facts, "EmailMessage", "RelatedToId")
    ? [byParent, [...RELATED_TO_CASE, ...missing("RelatedToId")]]
    : [byParent];
}

/** E-mails that fail. */
export async function emailsWithoutCase(facts: Facts): Promise<number | null> {
  if (!canSeeField(facts, "EmailMessage", "ParentId")) return 0;
  const [byParent, byRelated] = emailsWithoutCaseIn(facts);
  const count = (where: string[]) => countRecords(facts.client, "EmailMessage", where);
  const emails = await count(byParent);
  // Most orgs have none of these, and need no subquery by a field that points at several objects.
  if (!byRelated || (await count(RELATED_TO_CASE)) === 0) return emails;
  return wholeSum([emails, await count(byRelated)]);
}

/** Selects e-mails that are imported, and have a task. */
function emailsWithTask(facts: Seen): string[] {
  const imported = importedEmails((field) => canSeeField(facts, "EmailMessage", field), isImportable(facts, "Case"));
  return ["IsDeleted = false", "ActivityId != null", ...imported];
}

/** Selects tasks that are copies of imported e-mails. Not every org can join the two. */
export function copiesOfEmailsIn(facts: Seen): string[] {
  const ordinary = canSeeField(facts, "Task", "IsRecurrence") ? ["IsRecurrence = false"] : [];
  const closed = canSeeField(facts, "Task", IS_CLOSED) ? [`${IS_CLOSED} = true`] : [];
  const emails = select({ fields: ["ActivityId"], from: "EmailMessage", where: emailsWithTask(facts) });
  return [...ordinary, ...closed, `Id IN (${emails})`];
}

/**
 * Tasks that are copies of imported e-mails. If Salesforce cannot join the two, the Tasks that e-mails name, including
 * deleted and open ones: no relationship leads from an e-mail to its Task.
 */
export async function copiesOfEmails(facts: Facts): Promise<number | null> {
  if (!isImportable(facts, "EmailMessage") || !canSeeField(facts, "EmailMessage", "ActivityId")) return 0;
  return (
    (await countRecords(facts.client, "Task", copiesOfEmailsIn(facts))) ?? tasksNamedBy(facts, emailsWithTask(facts))
  );
}

async function tasksNamedBy({ client }: Facts, where: readonly string[]): Promise<number | null> {
  const soql = select({ fields: ["COUNT_DISTINCT(ActivityId) tasks"], from: "EmailMessage", where });
  const page = await answerWithin((signal) => query(client, soql, { all: true, signal }));
  return page && Number(page.records[0]?.tasks ?? 0);
}
