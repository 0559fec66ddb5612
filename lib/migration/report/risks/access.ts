import { formatCount } from "@/lib/amounts";
import {
  objectName,
  IMPORT_ORDER,
  isSourceObject,
  type SourceObjectName,
} from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { answerWithin } from "@/lib/migration/report/answer-within";
import { unreadableParentOf, type RiskCheck } from "@/lib/migration/report/facts";
import { exampleOf } from "@/lib/migration/report/risks/example-records";
import { giveAccess, givePermission } from "@/lib/migration/report/risks/permissions";
import { hasPermission } from "@/lib/salesforce/permissions";

/** What a migration without an optional object lacks. */
const LOST: Partial<Record<SourceObjectName, string>> = {
  FeedItem: "the posts in the feeds of cases",
  FeedComment: "the replies to feed posts",
};

/** Imported objects that the Salesforce user may not see. Those that not every org has do not block a migration. */
export const unreadableObjects: RiskCheck = ({ survey }) =>
  survey.objects.flatMap(({ name, label, readable }) => {
    if (readable || !isSourceObject(name)) return [];
    const lost = LOST[name];
    return [
      {
        severity: lost ? ("warning" as const) : ("blocking" as const),
        code: "object_not_readable",
        object: name,
        count: null,
        title: `${label} cannot be read`,
        detail:
          `The Salesforce user has no access to ${label}, so none can be migrated. Unless that changes, ` +
          (lost ? `${lost} stay in Salesforce.` : "the migration leaves them out."),
        recommended_action: `${giveAccess(name)}, and analyze again.`,
      },
    ];
  });

/**
 * Fields, of any object or of one, that an org has only with certain features: their absence means nothing. The length
 * of a call comes with call centers (Object Reference, Task), RelatedToId with enhanced e-mail, the visibility of a
 * post with digital experiences.
 */
const OPTIONAL = new Set([
  "CurrencyIsoCode",
  "TaskSubtype",
  "IsExternallyVisible",
  "Task.AccountId",
  "Task.CallDurationInSeconds",
  "Event.AccountId",
  "EmailMessage.RelatedToId",
  "FeedItem.Visibility",
]);

/** The objects whose records have an owner in Salesforce. */
const OWNED = new Set<SourceObjectName>(["Account", "Contact", "Opportunity", "Lead", "Case", "Task", "Event"]);

function isOptional(object: string, field: string): boolean {
  return OPTIONAL.has(field) || OPTIONAL.has(`${object}.${field}`);
}

/** The standard fields that the import reads. */
function standardFields(object: SourceObjectName): string[] {
  const { fields, fixed } = SOURCE_OBJECTS[object];
  return [...Object.keys(fields), ...Object.keys(fixed), ...(OWNED.has(object) ? ["OwnerId"] : [])];
}

/** Standard fields that field-level security hides: missing from the describe, and so not migrated. */
export const unreadableFields: RiskCheck = ({ mappings }) =>
  IMPORT_ORDER.flatMap((object) => {
    const seen = new Set(mappings[object]?.fields.map(({ source }) => source));
    const missing = standardFields(object).filter((name) => !seen.has(name) && !isOptional(object, name));
    if (seen.size === 0 || missing.length === 0) return [];
    return [
      {
        severity: "warning" as const,
        code: "fields_not_readable",
        object,
        count: null,
        title:
          `${objectName(object)}: ${formatCount(missing.length, "field is", "fields are")} hidden from the ` +
          "Salesforce user",
        detail: `${missing.join(", ")} cannot be read, so their values would stay in Salesforce.`,
        recommended_action:
          "Give the user “Read Access” to these fields in a permission set (Setup › Permission Sets › Object " +
          "Settings), and analyze again.",
      },
    ];
  });

/** Readable objects whose parent object cannot be read. */
export const unreadableParents: RiskCheck = ({ survey }) =>
  survey.objects.flatMap(({ name, label, count }) => {
    const parent = unreadableParentOf(survey, name);
    if (!parent) return [];
    return [
      {
        severity: "blocking" as const,
        code: "parent_not_readable",
        object: name,
        count,
        title: `${label} cannot be migrated without ${objectName(parent)}`,
        detail: `${label} belong to ${objectName(parent)}, which the Salesforce user cannot read.`,
        recommended_action: `${giveAccess(parent)}, and analyze again.`,
      },
    ];
  });

/** Without “View All Data” Salesforce hides records that are not shared with the user, also from counts. */
export const partialView: RiskCheck = async ({ client, survey: { analyzedAs } }) => {
  if ((await answerWithin((signal) => hasPermission(client, "ViewAllData", signal))) !== false) return [];
  return [
    {
      severity: "warning",
      code: "user_sees_a_part",
      object: null,
      count: null,
      title: "The Salesforce user may not see every record",
      detail:
        "The user lacks “View All Data”. Salesforce hides records that are not shared with the user, also from the " +
        "counts of this report.",
      recommended_action: `${givePermission("ViewAllData")}, and analyze again.`,
      example: exampleOf("User", analyzedAs.user_id, analyzedAs.username),
    },
  ];
};

/** Readable objects that were not counted, so the number of their records is unknown. */
export const uncountedObjects: RiskCheck = ({ survey, mappings }) =>
  survey.objects
    .filter(({ name, readable, count }) => name in mappings && readable && count === null)
    .map(({ name, label }) => ({
      severity: "warning",
      code: "object_not_counted",
      object: name,
      count: null,
      title: `${label} could not be counted`,
      detail:
        "Salesforce refused to count these records, or took too long. They are migrated nevertheless, but the " +
        "estimate leaves them out.",
      recommended_action: "Go on, or analyze again at a quieter time to know in advance how many there are.",
    }));
