import { formatCount } from "@/lib/amounts";
import { type Activity, relationOf } from "@/lib/migration/objects/activity-people";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { peopleFieldsOf } from "@/lib/migration/pipeline/read/read-activity-people";
import { answerWithin } from "@/lib/migration/report/answer-within";
import { emailsOutsideCasesIn } from "@/lib/migration/report/expect-in-emails";
import { type RiskCheck, type ReportFacts, canSeeField } from "@/lib/migration/report/facts";
import type { Risk } from "@/lib/migration/report/report-schema";
import { givePermission } from "@/lib/migration/report/risks/permissions";
import { countRecords } from "@/lib/migration/report/survey";
import { hasPermission } from "@/lib/salesforce/permissions";
import { count, select } from "@/lib/salesforce/query";

const ACTIVITIES: readonly Activity[] = ["Task", "Event"];

/** Salesforce archives activities after a year and hides them from ordinary queries. */
export const archivedActivities: RiskCheck = async ({ client, survey }) => {
  let archived = 0;
  for (const object of ACTIVITIES) {
    const all = survey.objects.find(({ name }) => name === object)?.count ?? 0;
    const soql = select({ fields: ["COUNT()"], from: object });
    const current = await answerWithin((signal) => count(client, soql, { signal }));
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
          title: `${formatCount(archived, "activity is", "activities are")} archived`,
          detail:
            "Salesforce hides activities that are older than a year from lists and reports. They are migrated like " +
            "all others.",
          recommended_action: "Nothing. Expect higher counts here than in Salesforce reports.",
        },
      ];
};

/**
 * What tells that an activity has people beside its WhoId. `WhoCount` exists only with Shared Activities (Object
 * Reference, Task and Event).
 */
const FURTHER_PEOPLE: Record<Activity, Record<string, string>> = {
  Task: { WhoCount: "WhoCount > 1" },
  Event: { WhoCount: "WhoCount > 1", IsGroupEvent: "IsGroupEvent = true" },
};

/** Activities that repeat others: tasks of e-mails, which name their recipients, and copies of invitees. */
const REPEATING: Record<Activity, Record<string, string>> = {
  Task: { TaskSubtype: "TaskSubtype != 'Email'" },
  Event: { IsChild: "IsChild = false" },
};

/** What the people beside one contact or lead are. */
const PEOPLE: Record<Activity, string> = {
  Task: "Its other contacts",
  Event: "Its other contacts, and its invitees with their responses,",
};

/** Selects activities with people beside their WhoId; empty if the org does not tell any. */
export function withFurtherPeople(facts: Pick<ReportFacts, "mappings">, object: Activity): string[] {
  const further = seenOf(facts, object, FURTHER_PEOPLE);
  return further.length === 0 ? [] : [`(${further.join(" OR ")})`, ...seenOf(facts, object, REPEATING)];
}

/** The conditions on fields that the user may see. */
function seenOf(
  facts: Pick<ReportFacts, "mappings">,
  object: Activity,
  conditions: Record<Activity, Record<string, string>>,
): string[] {
  return Object.entries(conditions[object]).flatMap(([field, condition]) =>
    canSeeField(facts, object, field) ? [condition] : [],
  );
}

/** Further contacts of tasks and events, and invitees of events. An activity has one contact or lead here. */
export const furtherPeople: RiskCheck = async (facts) => {
  const risks: Risk[] = [];
  for (const activity of ACTIVITIES) {
    const where = withFurtherPeople(facts, activity);
    const activities = where.length === 0 ? 0 : await countRecords(facts.client, activity, where);
    if (activities === 0) continue;
    const fields = await answerWithin((signal) => peopleFieldsOf(facts.client, activity, signal));
    risks.push(peopleRisk(activity, activities, fields !== null && fields.length > 0));
  }
  return risks;
};

function peopleRisk(activity: Activity, activities: number | null, areKept: boolean): Risk {
  const { label } = SOURCE_OBJECTS[activity];
  const have =
    activities === null ? `Some ${label}s may have` : formatCount(activities, `${label} has`, `${label}s have`);
  const place = areKept
    ? "are kept with it as a custom field: by their names, without links, and no search finds them."
    : "stay in Salesforce.";
  return {
    severity: areKept ? "info" : "warning",
    code: "further_people",
    object: activity,
    count: activities,
    title: `${have} further people`,
    detail: `Each ${label} is migrated with one contact or lead. ${PEOPLE[activity]} ${place}`,
    recommended_action: areKept
      ? "Nothing."
      : `If you need to know who they are, export ${relationOf(activity)} before you give up Salesforce (Setup › ` +
        "Data Export, or Data Loader).",
  };
}

/** E-mails without a case. */
export const emailsOutsideCases: RiskCheck = async (facts) => {
  const emails = await countEmails(facts, "ParentId", ...emailsOutsideCasesIn(facts));
  if (!emails) return [];
  return [
    {
      severity: "info",
      code: "emails_outside_cases",
      object: "EmailMessage",
      count: emails,
      title: `${formatCount(emails, "e-mail belongs", "e-mails belong")} to no case`,
      detail:
        "They become activities of what they are about (an account, or an opportunity or lead if those are " +
        "migrated), and of the contact. The Salesforce id of anything else is kept as a custom field.",
      recommended_action: "Nothing.",
    },
  ];
};

/** Attachments are files, which a run copies only if it is told to. */
export const attachments: RiskCheck = async (facts) => {
  const emails = await countEmails(facts, "HasAttachment", "HasAttachment = true");
  if (emails === 0) return [];
  return [
    {
      severity: "warning",
      code: "attachments_left_behind",
      object: "EmailMessage",
      count: emails,
      title:
        emails === null
          ? "Some e-mails may have attachments"
          : `${formatCount(emails, "e-mail has", "e-mails have")} attachments`,
      detail:
        "The e-mails are migrated with their text. Their attachments stay in Salesforce unless you have files " +
        "copied. Each e-mail names the attachments that the Salesforce user may see, with size and link.",
      recommended_action:
        "Have files copied (in the options of the configuration), or keep access to Salesforce for as long as you " +
        "need the files.",
    },
  ];
};

/**
 * Salesforce leaves drafts of e-mails on cases, and classic attachments of e-mails, out of answers to users without
 * “Modify All Data”, and says nothing of it (Object Reference, EmailMessage, "Special Access Rules", and Attachment,
 * "Usage"). How many there are, only users who see them can tell.
 */
export const hiddenEmails: RiskCheck = async ({ client, survey }) => {
  const hasEmails = survey.objects.some(
    ({ name, readable, count: emails }) => name === "EmailMessage" && readable && emails !== 0,
  );
  if (!hasEmails) return [];
  if ((await answerWithin((signal) => hasPermission(client, "ModifyAllData", signal))) !== false) return [];
  return [
    {
      severity: "warning",
      code: "emails_hidden_in_part",
      object: "EmailMessage",
      count: null,
      title: "Drafts and attachments of e-mails may be hidden from the Salesforce user",
      detail:
        "The user lacks “Modify All Data”. Without it Salesforce hides drafts that other users wrote for cases, and " +
        "attachments of e-mails that are stored as classic attachments, not as files. They are neither copied nor " +
        "named, and stay in Salesforce.",
      recommended_action:
        `${givePermission("ModifyAllData")} until the migration is complete, and analyze again. The migration still ` +
        "only reads. Or keep access to Salesforce for as long as you need them.",
    },
  ];
};

/** Null if Salesforce cannot count them in time. */
async function countEmails(facts: ReportFacts, field: string, ...where: string[]): Promise<number | null> {
  return canSeeField(facts, "EmailMessage", field) ? countRecords(facts.client, "EmailMessage", where) : 0;
}

/** People who are both an account and a contact. */
export const personAccounts: RiskCheck = async (facts) => {
  if (!canSeeField(facts, "Account", "IsPersonAccount")) return [];
  const people = await countRecords(facts.client, "Account", ["IsPersonAccount = true"]);
  if (!people) return [];
  return [
    {
      severity: "info",
      code: "person_accounts",
      object: "Account",
      count: people,
      title: formatCount(people, "person account"),
      detail: "Each becomes an account with one contact, as Salesforce stores it internally.",
      recommended_action: "Nothing.",
    },
  ];
};
