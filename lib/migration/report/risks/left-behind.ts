import { formatCount, formatNumber, wholeSum } from "@/lib/amounts";
import { isImported } from "@/lib/migration/objects/imported-objects";
import { isSourceObject, PLANNED_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { COPIED_OBJECTS } from "@/lib/migration/report/measures/measure-files";
import type { SurveyedObject, Survey } from "@/lib/migration/report/survey";
import { givePermission } from "@/lib/migration/report/risks/permissions";
import type { RiskCheck } from "@/lib/migration/report/facts";
import type { Risk } from "@/lib/migration/report/report-schema";

function isPlanned(name: string): boolean {
  return (PLANNED_OBJECTS as readonly string[]).includes(name) && !isImported(name);
}

/** Planned objects that are not imported, and may have records. */
export function plannedWithRecords({ objects }: Survey): SurveyedObject[] {
  return objects.filter(({ name, count }) => isPlanned(name) && count !== 0);
}

/** Custom objects that may have records. */
export function customWithRecords({ objects }: Survey): SurveyedObject[] {
  return objects.filter(({ custom, count }) => custom && count !== 0);
}

/** Objects that a run reads with others, and files, which have a finding of their own. */
const READ_OTHERWISE: ReadonlySet<string> = new Set([
  ...COPIED_OBJECTS,
  "ContentDocumentLink",
  "ContentVersion",
  "Document",
  "EmailMessageRelation",
  "EventRelation",
  "FeedAttachment",
  "TaskRelation",
]);

/** Objects that a run reads with a planned one, where that is imported as a preview. */
const READ_WITH: Record<string, (typeof PLANNED_OBJECTS)[number]> = {
  OpportunityContactRole: "Opportunity",
  OpportunityLineItem: "Opportunity",
  Pricebook2: "Product2",
  PricebookEntry: "Product2",
};

function isReadWithOthers(name: string): boolean {
  const other = Object.hasOwn(READ_WITH, name) ? READ_WITH[name] : undefined;
  return READ_OTHERWISE.has(name) || (other !== undefined && isImported(other));
}

/** Standard objects that may have records and are not imported, the largest first. */
export function standardWithRecords({ objects }: Survey): SurveyedObject[] {
  return objects
    .filter(({ name, custom, count }) => !custom && count !== 0 && !isSourceObject(name) && !isReadWithOthers(name))
    .toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0));
}

/** Objects that a later version will migrate. */
export const plannedObjects: RiskCheck = ({ survey }) => {
  const planned = plannedWithRecords(survey);
  if (planned.length === 0) return [];
  return [
    {
      severity: "warning",
      code: "planned_objects",
      object: null,
      count: wholeSum(planned.map(({ count }) => count)),
      title: `${new Intl.ListFormat("en").format(planned.map(({ label }) => label))} stay in Salesforce for now`,
      detail:
        "Migrating them is planned but not possible yet. Activities that point at these records keep their " +
        "Salesforce ids as custom fields.",
      recommended_action:
        "Keep access to Salesforce for as long as you work with them, or export them there before you give it up " +
        "(Setup › Data Export).",
    },
  ];
};

/** Custom objects with records. */
export const customObjects: RiskCheck = ({ survey }) => {
  const objects = customWithRecords(survey);
  if (objects.length === 0) return [];
  const names = objects.slice(0, 5).map(({ label }) => label);
  return [
    {
      severity: "warning",
      code: "custom_objects",
      object: null,
      count: wholeSum(objects.map(({ count }) => count)),
      title: `${formatCount(objects.length, "custom object stays", "custom objects stay")} in Salesforce`,
      detail: `They have no equivalent here: ${names.join(", ")}${objects.length > names.length ? ", …" : ""}.`,
      recommended_action: "Export what you need from them before you give up Salesforce (Setup › Data Export).",
    },
  ];
};

function titleOf(counted: number, hasUncounted: boolean): string {
  if (counted === 0) return "Other standard objects may have records, which stay in Salesforce";
  const objects = formatCount(counted, "other standard object stays", "other standard objects stay");
  return `${hasUncounted ? "At least " : ""}${objects} in Salesforce`;
}

/** Standard objects with records. Most of those that could not be counted have none, so they are not named. */
export const standardObjects: RiskCheck = ({ survey }) => {
  const objects = standardWithRecords(survey);
  if (objects.length === 0) return [];
  const counted = objects.filter(({ count }) => count !== null);
  const names = counted.slice(0, 5).map(({ label, count }) => `${label} (${formatNumber(count ?? 0)})`);
  const uncounted = objects.length - counted.length;
  const sentences = [
    names.length === 0
      ? null
      : `They have no equivalent here: ${names.join(", ")}${counted.length > names.length ? ", …" : ""}.`,
    uncounted === 0
      ? null
      : `${formatCount(uncounted, "object", "objects")} could not be counted, and may have records too.`,
  ];
  return [
    {
      severity: "warning",
      code: "standard_objects",
      object: null,
      count: wholeSum(objects.map(({ count }) => count)),
      title: titleOf(counted.length, uncounted > 0),
      detail: sentences.filter((sentence) => sentence !== null).join(" "),
      recommended_action: "Export what you need from them before you give up Salesforce (Setup › Data Export).",
    },
  ];
};

/** Active automations, on which people may rely without knowing. What the user may not see is not zero. */
export const activeAutomations: RiskCheck = ({ automations }) => {
  const { complexity: _, ...kinds } = automations;
  const active = Object.values(kinds).reduce((sum, kind) => sum + (kind?.active ?? 0), 0);
  const areAllSeen = Object.values(kinds).every((kind) => kind !== null);
  const seen: Risk = {
    severity: "info",
    code: "active_automations",
    object: null,
    count: null,
    title: `${areAllSeen ? "" : "At least "}${formatCount(active, "automation is", "automations are")} active`,
    detail:
      "Workflow rules, Process Builder flows, other flows, triggers and validation rules stay in Salesforce, and " +
      "nothing here does their work. The migration only reads, so none of them fires because of it.",
    recommended_action:
      "Find out which of them your people rely on, and plan who does that work by hand once you have left Salesforce.",
  };
  return [...(active > 0 ? [seen] : []), ...(areAllSeen ? [] : [UNSEEN_AUTOMATIONS])];
};

const UNSEEN_AUTOMATIONS: Risk = {
  severity: "info",
  code: "automations_not_readable",
  object: null,
  count: null,
  title: "Not all automations could be read",
  detail:
    "Salesforce did not show the user all kinds of automations, or not in time, so some may be active that this " +
    "report does not count. They stay in Salesforce, and nothing here does their work.",
  recommended_action: `${givePermission("ViewSetup")}, and analyze again to see them.`,
};
