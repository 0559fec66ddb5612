import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { importedObjects, isImported } from "@/lib/migration/objects/imported-objects";
import {
  isPlanned,
  objectName,
  type SourceObjectName,
  PLANNED_OBJECTS,
} from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { isEncrypted } from "@/lib/migration/pipeline/read/visible-fields";
import { unreadableParentOf } from "@/lib/migration/report/facts";
import type { ObjectMapping } from "@/lib/migration/report/map-object";
import type { ObjectReport } from "@/lib/migration/report/report-schema";
import { giveAccess } from "@/lib/migration/report/risks/permissions";
import type { Survey, SurveyedObject } from "@/lib/migration/report/survey";
import {
  countKept,
  isKept,
  summarizeFields,
  importSentence,
  type LeftOut,
  type LeftOutByObject,
} from "@/lib/migration/report/wording";

const PREVIEW = "A preview: it is planned, and imported because the settings of this service say so.";

type Mappings = Partial<Record<SourceObjectName, ObjectMapping>>;

/** One entry per object: the imported ones in the order of import, the planned ones, then what stays in Salesforce. */
export function objectReports(survey: Survey, mappings: Mappings, leftOut: LeftOutByObject): ObjectReport[] {
  const find = (name: string) => survey.objects.find((object) => object.name === name);
  const migrated = importedObjects().flatMap((name) => {
    const object = find(name);
    return object ? [reportMigrated(survey, object, name, mappings[name], leftOut[name] ?? [])] : [];
  });
  const planned = PLANNED_OBJECTS.flatMap((name) => {
    const object = find(name);
    const { resource } = SOURCE_OBJECTS[name];
    return object && !isImported(name) ? [reportPlanned(object, resource)] : [];
  });
  const known = new Set<string>([...importedObjects(), ...PLANNED_OBJECTS]);
  const others = survey.objects
    .filter((object) => !known.has(object.name) && isListed(object))
    .toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));
  return [...migrated, ...planned, ...others.map(reportOther)];
}

/** Whether the report lists an object that is not imported: nobody uses most of the standard objects of an org. */
export function isListed({ name, custom, count }: SurveyedObject): boolean {
  return custom || count !== 0 || (PLANNED_OBJECTS as readonly string[]).includes(name);
}

function base({ name, label, custom, count }: SurveyedObject) {
  return { object: name, label, custom, count };
}

function reportMigrated(
  survey: Survey,
  object: SurveyedObject,
  name: SourceObjectName,
  mapping: ObjectMapping | undefined,
  leftOut: LeftOut[],
): ObjectReport {
  const refusal = mapping ? unreadableReason(survey, object, name) : unreadable(name);
  const { resource } = SOURCE_OBJECTS[name];
  if (refusal || !mapping) {
    return {
      ...base(object),
      status: "not_supported",
      compatibility: "manual_review",
      resource,
      reason: refusal ?? "",
      left_out: [],
      fields: mapping?.fields ?? [],
    };
  }
  const { compatibility, reason } = compatibilityOf(mapping);
  const records = object.count === null ? [] : [importSentence({ records: object.count }, leftOut)];
  return {
    ...base(object),
    status: isPlanned(name) ? "preview" : "automatic",
    resource,
    compatibility,
    reason: [...(isPlanned(name) ? [PREVIEW] : []), ...records, reason].join(" "),
    left_out: leftOut,
    created_by_year: mapping.created_by_year,
    fields: mapping.fields,
  };
}

function unreadable(name: SourceObjectName): string {
  return `The Salesforce user cannot read ${objectName(name)}. ${giveAccess(name)}, and analyze again.`;
}

function unreadableReason(survey: Survey, object: SurveyedObject, name: SourceObjectName): string | null {
  if (!object.readable) return unreadable(name);
  const parent = unreadableParentOf(survey, object.name);
  return (
    parent &&
    `These records belong to ${objectName(parent)}, which the Salesforce user cannot read. ${giveAccess(parent)}, ` +
      "and analyze again."
  );
}

/** Fields of every object that name a user, who is seldom a member here. */
const USER_STAMPS = new Set(["CreatedById", "LastModifiedById"]);

/**
 * auto: every field has a target, or names the user who stored the record · partial: some fields are kept as custom
 * fields · manual_review: some values need a choice.
 */
function compatibilityOf({ fields }: ObjectMapping): Pick<ObjectReport, "compatibility" | "reason"> {
  const undecided = fields.filter(({ values }) =>
    values?.some(({ suggestion, count }) => suggestion === null && count !== 0),
  );
  if (undecided.length > 0) {
    const names = undecided.map(({ label }) => label).join(", ");
    return {
      compatibility: "manual_review",
      reason: `Some values of ${names} have no equivalent here. Choose what they become when you configure.`,
    };
  }
  const { kept, custom } = countKept(fields);
  const isMasked = fields.some((field) => !isKept(field) && isEncrypted(field));
  const masked = isMasked ? ", or shows the user only masks" : "";
  const rest = kept === fields.length ? "" : ` The rest repeats others${masked}.`;
  if (fields.filter(isKept).every(({ source, target }) => target !== CUSTOM_FIELDS || USER_STAMPS.has(source))) {
    const stamps = custom === 0 ? "" : ": who stored the record";
    return { compatibility: "auto", reason: `${summarizeFields(fields)}${stamps}.${rest}` };
  }
  return { compatibility: "partial", reason: `${summarizeFields(fields)}, unless you choose a place for them.${rest}` };
}

function reportPlanned(object: SurveyedObject, resource: string): ObjectReport {
  const reason = "Planned: this version does not migrate it yet, and it cannot be selected.";
  return {
    ...base(object),
    status: "planned",
    compatibility: "manual_review",
    resource,
    reason,
    left_out: [],
    fields: [],
  };
}

function reportOther(object: SurveyedObject): ObjectReport {
  const reason = object.custom ? "A custom object: it has no equivalent here." : "It has no equivalent here.";
  return {
    ...base(object),
    status: "not_supported",
    compatibility: "manual_review",
    resource: null,
    reason,
    left_out: [],
    fields: [],
  };
}
