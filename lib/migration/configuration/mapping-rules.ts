import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import type { Mapping, SourceField, SourceObject, Scalar, Shape } from "@/lib/migration/objects/declaration";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

export interface TargetSuggestion {
  /** A field of the record, `custom_fields`, or null: left out. */
  target: string | null;
  confidence: "exact" | "likely" | "custom" | "unmapped";
  note: string | null;
  /** False if the user cannot choose another target. */
  mappable: boolean;
}

/** The target of a source field unless the user chooses another. The report shows it and the import follows it. */
export function suggestTarget(object: SourceObject, field: SourceField): TargetSuggestion {
  if (!isRead(field, object.ignoredFields))
    return {
      target: null,
      confidence: "unmapped",
      note: "Repeats other fields.",
      mappable: false,
    };
  const fixed: Mapping | undefined = (RECORD_FIELDS as Record<string, Mapping>)[field.name] ?? object.fixed[field.name];
  if (fixed) return { target: fixed.target, confidence: fixed.confidence, note: fixed.note ?? null, mappable: false };
  const mapping = object.fields[field.name];
  if (mapping)
    return { target: mapping.target, confidence: mapping.confidence, note: mapping.note ?? null, mappable: true };
  return { target: CUSTOM_FIELDS, confidence: "custom", note: null, mappable: true };
}

/** Whether the user can choose where a field goes. Some fields have a fixed target, and some are not read at all. */
export function isMappable(object: SourceObjectName, { source, type }: { source: string; type: string }): boolean {
  return suggestTarget(SOURCE_OBJECTS[object], { name: source, type }).mappable;
}

/**
 * The fields of every object that become `id`, `ext_id`, `created_at`, `updated_at` and `owner_id`. Their targets are
 * fixed.
 */
export const RECORD_FIELDS = {
  Id: { target: "ext_id", confidence: "exact" },
  CreatedDate: { target: "created_at", confidence: "exact" },
  LastModifiedDate: { target: "updated_at", confidence: "exact" },
  OwnerId: {
    target: "owner_id",
    confidence: "likely",
    note:
      "Matched to a member of the organization by e-mail. The id is kept as a custom field, and the name of an owner " +
      "who is no member as well.",
  },
} as const;

/**
 * Fields that say nothing about the record, and are not kept: bookkeeping of the search, sync and screens of the
 * source, what the connected user alone has marked, and the address of a picture on its pages.
 */
const IGNORED_FIELDS = new Set([
  "attributes",
  "IsDeleted",
  "SystemModstamp",
  "LastViewedDate",
  "LastReferencedDate",
  "IsPriorityRecord",
  "PhotoUrl",
]);

/** Compound fields repeat the fields that they consist of; files are not imported. */
const UNREADABLE_TYPES = new Set(["address", "location", "base64"]);

export function isRead(field: SourceField, ignoredFields: readonly string[]): boolean {
  return !IGNORED_FIELDS.has(field.name) && !UNREADABLE_TYPES.has(field.type) && !ignoredFields.includes(field.name);
}

/**
 * The target of a source field: the chosen one, or else the suggested one. If the user gave the suggested target to
 * another field, the field goes to `custom_fields`. Null means left out.
 */
export function chosenTarget(
  field: { source: string; target: string | null },
  chosen: Readonly<Record<string, string | null>>,
): string | null {
  const choice = Object.hasOwn(chosen, field.source) ? chosen[field.source] : undefined;
  if (choice !== undefined) return choice;
  // Any number of fields can go to these.
  if (field.target === null || field.target === CUSTOM_FIELDS) return field.target;
  return Object.values(chosen).includes(field.target) ? CUSTOM_FIELDS : field.target;
}

/**
 * The targets that were chosen for more than one field, each with those fields in the order of the choices. Only one
 * field can have a target, except `custom_fields` and null.
 */
export function sharedTargets(chosen: Readonly<Record<string, string | null>>): [target: string, fields: string[]][] {
  const fieldsByTarget = Map.groupBy(Object.keys(chosen), (source) => chosen[source] ?? CUSTOM_FIELDS);
  return [...fieldsByTarget].filter(([target, fields]) => target !== CUSTOM_FIELDS && fields.length > 1);
}

/** Fields that the import itself fills. No source field can be mapped onto these. */
const RESERVED = new Set([
  "id",
  "ext_id",
  "created_at",
  "updated_at",
  "owner_id",
  CUSTOM_FIELDS,
  "version",
  "position",
  "author_id",
  "case_number",
]);

/** A field of a resource. Throws on an unknown name: a mapping that names one is a defect. */
export function fieldOf(resource: ResourceName, name: string): Field {
  const fields: Record<string, Field> = ENTITIES[resource].fields;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) throw new Error(`${resource} has no field ${name}.`);
  return field;
}

/** The fields of a shape's resource that a source field can be mapped onto. */
export function possibleTargets(shape: Pick<Shape, "resource" | "computed">): string[] {
  return Object.keys(ENTITIES[shape.resource].fields).filter(
    (name) => !RESERVED.has(name) && !Object.hasOwn(shape.computed, name),
  );
}

/** The values that an enum field can take; null for other fields. */
export function enumValues(resource: ResourceName, name: string): string[] | null {
  const { values } = fieldOf(resource, name);
  return values ? ([...values] as string[]) : null;
}

/** The values of a target that takes fixed values; null if it takes any, or if no field can be mapped onto it. */
export function targetValues(object: SourceObjectName, target: string | null): string[] | null {
  const source = SOURCE_OBJECTS[object];
  return target !== null && possibleTargets(source).includes(target) ? enumValues(source.resource, target) : null;
}

/**
 * The value of a required column when the source has none: the placeholder of the shape, or the default of the column.
 */
export function fillerOf(shape: Pick<Shape, "resource" | "placeholders">, name: string): Scalar {
  return shape.placeholders[name] ?? fieldOf(shape.resource, name).default ?? null;
}

/**
 * Patterns are tried in order on the value in lower case, and do not match behind a negation that they do not name.
 * They cover the standard values of Salesforce and common additions of organizations.
 */
type Rules = readonly (readonly [RegExp, string])[];

const CASE_STATUS: Rules = [
  [/^not (?:yet |fully )?(?:clos|complet|done|(?:re)?solv|answer)|^incomplet/, "in_progress"],
  [/escalat/, "escalated"],
  [/(?<![a-z])(?:(?:re)?solv|answered)/, "resolved"],
  [/clos|cancel|done|complet|duplicate|merged|spam/, "closed"],
  [/hold|defer|paus|park/, "on_hold"],
  [/wait|pending|await|with customer|response/, "waiting_on_customer"],
  [/work|progress|investigat|assign|research|review|re-?open/, "in_progress"],
  [/new|open|creat|received|submitted|triage/, "new"],
];

const CASE_PRIORITY: Rules = [
  [/urgent|critical|blocker|emergency|highest|p0|sev ?1/, "urgent"],
  [/high|major|p1|sev ?2/, "high"],
  [/low|minor|trivial|p3|p4|sev ?4/, "low"],
  [/medium|normal|moderate|standard|p2|sev ?3/, "medium"],
];

const ACTIVITY_STATUS: Rules = [
  [/^not (?:yet |fully )?(?:clos|complet|done|finish|sent)|^incomplet|^unfinish/, "not_started"],
  [/cancel|abandon/, "cancelled"],
  [/not started|^new$|^open$|to ?do/, "not_started"],
  [/complet|done|closed|finish|(?<![a-z])sent/, "completed"],
  [/wait|pending/, "waiting"],
  [/defer|hold|postpon/, "deferred"],
  [/progress|started|working/, "in_progress"],
];

const ACTIVITY_PRIORITY: Rules = [
  [/high|urgent|critical/, "high"],
  [/low|minor/, "low"],
  [/medium|normal|standard/, "medium"],
];

const ACTIVITY_TYPE: Rules = [
  [/call/, "call"],
  [/mail/, "email"],
  [/event|meeting/, "event"],
  [/note/, "note"],
  [/task/, "task"],
];

const LEAD_STATUS: Rules = [
  [/not convert|unqualif|disqualif|not qualif|lost|dead|junk|spam|invalid/, "unqualified"],
  [/convert/, "converted"],
  [/qualif|accepted|(?<![a-z])ready/, "qualified"],
  [/(?<!do )not contact|^new|^open|unread|fresh/, "new"],
  [/contact|work|nurtur|attempt|progress|engag/, "contacted"],
  [/clos/, "unqualified"],
];

const OPPORTUNITY_STAGE: Rules = [
  [/lost|cancel|dead|no decision|abandon/, "closed_lost"],
  [/won(?!['’]?t\b)|(?<![a-z])signed|booked/, "closed_won"],
  [/negotiat|review|contract|commit|verbal/, "negotiation"],
  [/propos|quot|offer/, "proposal"],
  [/percept/, "perception_analysis"],
  [/decision/, "decision_makers"],
  [/value|demo|present/, "value_proposition"],
  [/needs|discover|analy/, "needs_analysis"],
  [/qualif/, "qualification"],
  [/prospect|^new|^open|lead/, "prospecting"],
];

const FORECAST_CATEGORY: Rules = [
  [/omit/, "omitted"],
  [/clos/, "closed"],
  [/commit/, "commit"],
  [/best/, "best_case"],
  [/pipeline/, "pipeline"],
];

const RULES: Record<string, Rules> = {
  "cases.status": CASE_STATUS,
  "cases.priority": CASE_PRIORITY,
  "activities.status": ACTIVITY_STATUS,
  "activities.priority": ACTIVITY_PRIORITY,
  "activities.type": ACTIVITY_TYPE,
  "leads.status": LEAD_STATUS,
  "opportunities.stage": OPPORTUNITY_STAGE,
  "opportunities.forecast_category": FORECAST_CATEGORY,
};

/** `Waiting on Customer` → `waiting_on_customer`. Letters of other scripts and symbols say something, so they stay. */
function normalized(value: string): string {
  return value
    .toLowerCase()
    .replaceAll(/[\p{P}\p{Z}\p{Cc}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "");
}

/**
 * Whether a source value is the target value in another spelling, so that nothing is lost when only the target is kept.
 */
export function readsAs(value: string, target: string): boolean {
  return normalized(value) === target;
}

/**
 * The value of an enum field that a source value stands for, by itself, or else by its label in Salesforce: its API
 * name may be a code. Null: none.
 */
export function suggestValue(
  resource: ResourceName,
  field: string,
  value: string,
  label?: string | null,
): string | null {
  return meantBy(resource, field, value) ?? (label ? meantBy(resource, field, label) : null);
}

/** The end of a text whose next word means the contrary: "not ", "not yet ", "no contract ", "non-", "un". */
const NEGATION = new RegExp(
  String.raw`(?<!\p{L})(?:(?:no|non|not|cannot|never|nicht|kein|keine|niet|geen|não|pas|un|less)` +
    String.raw`(?<between>[\s_-]\p{L}+)?[\s_-]|un|non|not|dis)$`,
  "u",
);

/** What is lost for lack of something, as in "No Budget Lost", is lost: only a negation right before it is about it. */
const LOSS = /^(?:lost|dead)(?!\p{L})/u;

/** A wrong suggestion costs more than none, because it is taken unless somebody chooses another value. */
function matches(pattern: RegExp, value: string): boolean {
  const found = [...value.matchAll(new RegExp(pattern, "g"))];
  return found.some(({ index }) => {
    const negation = NEGATION.exec(value.slice(0, index));
    return !negation || (negation.groups?.between !== undefined && LOSS.test(value.slice(index)));
  });
}

/** The value with the same spelling as a text, else that of the first rule that matches, else null. */
function meantBy(resource: ResourceName, field: string, value: string): string | null {
  const same = enumValues(resource, field)?.find((option) => readsAs(value, option));
  if (same) return same;
  const lower = value.toLowerCase();
  return RULES[`${resource}.${field}`]?.find(([pattern]) => matches(pattern, lower))?.[1] ?? null;
}
