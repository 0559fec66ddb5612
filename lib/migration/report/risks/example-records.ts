import { cleanText } from "@/lib/migration/objects/declaration";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { answerWithin } from "@/lib/migration/report/answer-within";
import { WITHOUT_CASE } from "@/lib/migration/report/expect-left-out";
import { canSeeField, type ReportFacts } from "@/lib/migration/report/facts";
import type { Risk } from "@/lib/migration/report/report-schema";
import { migratedOf } from "@/lib/migration/report/survey";
import { isSalesforceId, to18 } from "@/lib/salesforce/ids";
import { query, select } from "@/lib/salesforce/query";

interface About {
  object: MigratedObjectName;
  where: string;
  /** The field that names a record to people. */
  name: string;
}

/** Which records a risk is about. */
const ABOUT: Partial<Record<string, About>> = {
  comments_without_case: { object: "CaseComment", where: WITHOUT_CASE, name: "CommentBody" },
  emails_without_case: { object: "EmailMessage", where: WITHOUT_CASE, name: "Subject" },
  attachments_left_behind: { object: "EmailMessage", where: "HasAttachment = true", name: "Subject" },
  emails_outside_cases: { object: "EmailMessage", where: "ParentId = null", name: "Subject" },
  person_accounts: { object: "Account", where: "IsPersonAccount = true", name: "Name" },
  contacts_without_account: { object: "Contact", where: "AccountId = null", name: "Name" },
};

const MAX_NAME = 80;

/** Adds an example to each risk that is about records of one object: the newest of them. */
export async function addExamples(facts: ReportFacts, risks: readonly Risk[]): Promise<Risk[]> {
  const found: Risk[] = [];
  for (const risk of risks) {
    const about = ABOUT[risk.code];
    const example = about && risk.count !== 0 ? await findExample(facts, about) : null;
    found.push(example ? { ...risk, example } : risk);
  }
  return found;
}

async function findExample(facts: ReportFacts, { object, where, name }: About): Promise<Risk["example"]> {
  const fields = canSeeField(facts, object, name) ? ["Id", name] : ["Id"];
  const soql = select({
    fields,
    from: object,
    where: ["IsDeleted = false", ...migratedOf(object), where],
    orderBy: "Id DESC",
    limit: 1,
  });
  const page = await answerWithin((signal) => query(facts.client, soql, { all: true, signal }));
  const [record] = page?.records ?? [];
  if (typeof record?.Id !== "string" || !isSalesforceId(record.Id)) return null;
  const called = record[name];
  const text = typeof called === "string" ? cleanText(called).replaceAll(/\s+/g, " ").trim() : "";
  return { object, ext_id: to18(record.Id), name: [...text].slice(0, MAX_NAME).join("") || null };
}
