import { isSourceObject } from "@/lib/migration/objects/source-object-names";
import { NOTICES, ofTypes, typesShowing } from "@/lib/migration/report/expect-in-feeds";
import {
  copiesOfEmailsIn,
  emailsOutsideCasesIn,
  emailsWithoutCaseIn,
  WITHOUT_CASE,
} from "@/lib/migration/report/expect-in-emails";
import { canSeeField, type ReportFacts } from "@/lib/migration/report/facts";
import type { Risk } from "@/lib/migration/report/report-schema";
import { amountIn, withoutCurrency } from "@/lib/migration/report/risks/amounts-without-currency";
import { withFurtherPeople } from "@/lib/migration/report/risks/activities-and-people";
import { customWithRecords, plannedWithRecords, standardWithRecords } from "@/lib/migration/report/risks/left-behind";
import { inactiveInUse, unknownInUse, usedValues, type UsedValue } from "@/lib/migration/report/risks/picklists";
import { privateIn } from "@/lib/migration/report/risks/private-records";
import { soqlString } from "@/lib/salesforce/query";

type Facts = Pick<ReportFacts, "survey" | "mappings">;

/** Where an example is looked for. */
export interface About {
  object: string;
  where: readonly string[];
  /** The field that names a record to people; null if it is not known. */
  name: string | null;
  /** The field with the id of the example, if that is another record than the one that is found. */
  id?: string;
}

const NAMES: Partial<Record<string, string>> = {
  Attachment: "Name",
  Case: "Subject",
  CaseComment: "CommentBody",
  ContentDocument: "Title",
  Document: "Name",
  EmailMessage: "Subject",
  Event: "Subject",
  FeedComment: "CommentBody",
  FeedItem: "Body",
  Task: "Subject",
  ...Object.fromEntries(["Account", "Contact", "Lead", "Opportunity", "Product2"].map((object) => [object, "Name"])),
};

function about(object: string, ...where: string[]): About[] {
  return [{ object, where, name: NAMES[object] ?? null }];
}

const ACTIVITIES = ["Task", "Event"] as const;

/** Objects whose records are files, the newer ones first. */
const FILES = ["ContentDocument", "Attachment", "Document"];

/**
 * The records that a risk is about, by its code; the first query that finds one gives the example. Each costs a
 * request.
 *
 * Absent are those of which no record can be named. What the Salesforce user may not see has no id for us:
 * object_not_readable, emails_hidden_in_part, automations_not_readable, fields_not_readable and encrypted_fields_masked
 * (the text names the fields). Records that Salesforce cannot count in time are not asked for either:
 * object_not_counted, owners_not_counted. The org as a whole is meant by api_limit and token_may_expire, fields
 * by calculated_fields; active_automations are listed by name in the report, and entries of field_history have no page
 * of their own. Named where they are found are users and queues (owners.ts, user_sees_a_part), and records with rich
 * text (images_in_rich_text), by which no query selects.
 */
const ABOUT: Partial<Record<string, (facts: Facts, risk: Risk) => About[]>> = {
  parent_not_readable: (_facts, { object }) => (object === null ? [] : about(object)),
  picklist_values_unknown: (facts, risk) => withValue(facts, risk, unknownInUse),
  picklist_values_inactive: (facts, risk) => withValue(facts, risk, inactiveInUse),
  comments_without_case: () => about("CaseComment", WITHOUT_CASE),
  emails_without_case: (facts) => emailsWithoutCaseIn(facts).flatMap((where) => about("EmailMessage", ...where)),
  attachments_left_behind: () => about("EmailMessage", "HasAttachment = true"),
  further_people: (facts, { object }) =>
    ACTIVITIES.filter((name) => name === object).flatMap((name) => about(name, ...withFurtherPeople(facts, name))),
  files: ({ survey }) => FILES.filter((name) => hasRecords(survey, name)).flatMap((name) => about(name)),
  planned_objects: ({ survey }) => plannedWithRecords(survey).flatMap(({ name }) => about(name)),
  // Each custom object has the field Name (Object Reference, "Custom Objects"); other kinds, such as __b, may not.
  custom_objects: ({ survey }) =>
    customWithRecords(survey)
      .filter(({ name }) => name.endsWith("__c"))
      .slice(0, 1)
      .map(({ name }) => ({ object: name, where: [], name: "Name" })),
  standard_objects: ({ survey }) =>
    standardWithRecords(survey)
      .slice(0, 1)
      .flatMap(({ name }) => about(name)),
  archived_activities: (facts) => ofActivities(facts, "IsArchived").flatMap((name) => about(name, "IsArchived = true")),
  emails_outside_cases: (facts) => about("EmailMessage", ...emailsOutsideCasesIn(facts)),
  person_accounts: () => about("Account", "IsPersonAccount = true"),
  private_records: (facts, { object }) => (object === null ? [] : about(object, ...privateIn(facts, object))),
  amounts_without_currency: (facts) => withoutCurrency(facts).flatMap((object) => about(object, ...amountIn(object))),
  contacts_without_account: () => about("Contact", "AccountId = null"),
  copies_of_emails: (facts) => about("Task", ...copiesOfEmailsIn(facts)),
  recurring_series: (facts) => ofActivities(facts, "RecurrenceActivityId").map((object) => patternOf(object)),
  invitee_copies: () => about("Event", "IsChild = true"),
  posts_of_records: (facts) => about("FeedItem", ofTypes(typesShowing(facts, true))),
  feed_notices: () => about("FeedItem", ofTypes(NOTICES)),
};

/** Where the example of a risk is looked for; empty if it has none, or has it already. */
export function examplesOf(facts: Facts, risk: Risk): About[] {
  return risk.example || risk.count === 0 ? [] : (ABOUT[risk.code]?.(facts, risk) ?? []);
}

function hasRecords({ objects }: Facts["survey"], object: string): boolean {
  return objects.some(({ name, count }) => name === object && count !== 0);
}

function ofActivities(facts: Facts, field: string): (typeof ACTIVITIES)[number][] {
  return ACTIVITIES.filter((object) => canSeeField(facts, object, field));
}

/** The pattern of the newest occurrence: a pattern without occurrences is imported, so it is no example. */
function patternOf(object: (typeof ACTIVITIES)[number]): About {
  const organizers = object === "Event" ? ["IsChild = false"] : [];
  const where = ["RecurrenceActivityId != null", "IsRecurrence = false", ...organizers];
  return { object, where, name: "Subject", id: "RecurrenceActivityId" };
}

/** A record with the value at risk that most records have. */
function withValue(
  { mappings }: Facts,
  { object }: Risk,
  atRisk: (used: readonly UsedValue[]) => UsedValue[],
): About[] {
  if (object === null || !isSourceObject(object)) return [];
  const values = atRisk((mappings[object]?.fields ?? []).flatMap(usedValues));
  const [most] = values.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0));
  return most ? about(object, `${most.field} = ${soqlString(most.source)}`) : [];
}
