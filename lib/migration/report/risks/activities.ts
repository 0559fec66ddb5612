import { nullWhenRefused } from "@/lib/salesforce/null-when-refused";
import { counted, type RiskCheck, type RiskFacts, sees } from "@/lib/migration/report/risk-check";
import { countRecords } from "@/lib/migration/report/survey";
import type { MigratedObjectName, Risk } from "@/lib/migration/schemas";
import { count } from "@/lib/salesforce/query";
import { select } from "@/lib/salesforce/soql";

const ACTIVITIES = ["Task", "Event"] as const;

/** Salesforce archives activities after a year and hides them from ordinary queries. */
export const archivedActivities: RiskCheck = async ({ client, survey }) => {
  let archived = 0;
  for (const object of ACTIVITIES) {
    const all = survey.objects.find(({ name }) => name === object)?.count ?? 0;
    const current = await count(client, select({ fields: ["COUNT()"], from: object })).catch(nullWhenRefused);
    if (current !== null) archived += Math.max(0, all - current);
  }
  return archived === 0
    ? []
    : [
        {
          severity: "info",
          code: "archived_activities",
          object: null,
          count: archived,
          title: `${counted(archived, "activity is", "activities are")} archived`,
          detail: "Salesforce hides activities that are older than a year from lists and reports. They are migrated like all others.",
          remedy: "Nothing. Expect higher counts here than in Salesforce reports.",
        },
      ];
};

/** The pattern of a series is no activity where there are occurrences; which has some is found out when the records are read. */
export const recurringSeries: RiskCheck = async (facts) => {
  const tasks = await sum(facts, ["Task"], "IsRecurrence", "IsRecurrence = true");
  const series = tasks + (await sum(facts, ["Event"], "IsChild", "IsRecurrence = true AND IsChild = false"));
  return finding(series, {
    severity: "info",
    code: "recurring_series",
    title: counted(series, "pattern of a recurring series", "patterns of recurring series"),
    detail:
      "Every occurrence of a series is a record of its own and is migrated. Its pattern is skipped, and migrated only where it has no occurrence. " +
      "After the run each skipped pattern is listed with its reason.",
    remedy: "Nothing.",
  });
};

/** Every invitee has a copy of a group event. */
export const inviteeCopies: RiskCheck = async (facts) => {
  const copies = await sum(facts, ["Event"], "IsChild", "IsChild = true");
  return finding(copies, {
    severity: "info",
    code: "invitee_copies",
    object: "Event",
    title: `${counted(copies, "invitee's copy of an event", "invitees' copies of events")} will be skipped`,
    detail:
      "They say the same as the organizer's own event, which is migrated if the Salesforce user can read it. After the run each is listed with its reason.",
    remedy:
      "Nothing, if the Salesforce user has “View All Data”. If not, give the user that permission (Setup › Permission Sets), and analyze again.",
  });
};

/** E-mails that belong to no case. */
export const emailsOutsideCases: RiskCheck = async (facts) => {
  const emails = await sum(facts, ["EmailMessage"], "ParentId", "ParentId = null");
  return finding(emails, {
    severity: "info",
    code: "emails_outside_cases",
    object: "EmailMessage",
    title: `${counted(emails, "e-mail belongs", "e-mails belong")} to no case`,
    detail: "They become activities of the account or contact that they belong to. One of an opportunity keeps its Salesforce id as a custom field.",
    remedy: "Nothing.",
  });
};

/** Files are no records. */
export const attachments: RiskCheck = async (facts) => {
  const emails = await sum(facts, ["EmailMessage"], "HasAttachment", "HasAttachment = true");
  return finding(emails, {
    severity: "warning",
    code: "attachments_left_behind",
    object: "EmailMessage",
    title: `${counted(emails, "e-mail has", "e-mails have")} attachments`,
    detail: "The e-mails are migrated with their text. Their attachments stay in Salesforce.",
    remedy: "Keep access to Salesforce for as long as you need the files, or export them (Setup › Data Export).",
  });
};

async function sum(facts: RiskFacts, objects: readonly MigratedObjectName[], field: string, where: string): Promise<number> {
  let total = 0;
  for (const object of objects) {
    if (sees(facts, object, field)) total += (await countRecords(facts.client, object, [where])) ?? 0;
  }
  return total;
}

function finding(records: number, risk: Omit<Risk, "count" | "object"> & { object?: string }): Risk[] {
  return records === 0 ? [] : [{ object: null, ...risk, count: records }];
}
