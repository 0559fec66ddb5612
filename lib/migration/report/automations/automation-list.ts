import { adviseOn, type Change, type FoundAutomation } from "@/lib/migration/report/automations/automation-advice";
import type { AutomationItem, Report } from "@/lib/migration/report/report-schema";

/** How many automations a report lists by name, the active ones first. */
const MAX_LISTED = 500;

const MAX_NAME_LENGTH = 255;

/** Characters of code up to which a trigger is of low and of medium complexity. */
const [LOW_CHARACTERS, MEDIUM_CHARACTERS] = [1000, 5000];

/** The names of objects by their metadata id, by which rules, triggers and flows of custom objects name them. */
export type ObjectNames = ReadonlyMap<string, string>;

type Row = Record<string, unknown>;

export function listAutomations(found: readonly FoundAutomation[]): NonNullable<Report["automation_list"]> {
  const sorted = found.toSorted((one, other) => Number(other.active) - Number(one.active));
  return { data: sorted.slice(0, MAX_LISTED).map(itemOf), more: Math.max(0, found.length - MAX_LISTED) };
}

function itemOf(found: FoundAutomation): AutomationItem {
  const { kind, object, active } = found;
  return { kind, name: found.name, object, active, ...complexityOf(found), ...adviseOn(found) };
}

/** Only the length of code is known: the steps of a flow are in its metadata, which would cost a request per flow. */
function complexityOf(found: FoundAutomation): Pick<AutomationItem, "complexity" | "rated_by"> {
  const { active, characters, kind, trigger } = found;
  if (!active) return { complexity: "none", rated_by: "kind" };
  if (characters !== undefined) {
    const complexity = characters <= LOW_CHARACTERS ? "low" : characters <= MEDIUM_CHARACTERS ? "medium" : "high";
    return { complexity, rated_by: "length" };
  }
  const isSimple = kind === "workflows" || kind === "validation_rules" || trigger === "RecordBeforeSave";
  return { complexity: isSimple ? "low" : "medium", rated_by: "kind" };
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_NAME_LENGTH) : null;
}

function objectOf(value: unknown, names: ObjectNames): string | null {
  const name = text(value);
  return name && (names.get(name.slice(0, 15)) ?? name);
}

/** Whether an object is named by the metadata id of a custom object. */
export function isObjectId(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("01I");
}

/**
 * An id says nothing to people, so the label of an object whose name is not known comes first. Platform events have ids
 * like custom objects, and names that end in __e.
 */
function objectOfFlow(row: Row, names: ObjectNames): string | null {
  const [name, label] = [objectOf(row.TriggerObjectOrEventId, names), text(row.TriggerObjectOrEventLabel)];
  if (isObjectId(name)) return label ?? name;
  const isOnEvents = row.TriggerType === "PlatformEvent" || row.ProcessType === "CustomEvent";
  return (isOnEvents ? name?.replace(/__c$/, "__e") : name) ?? label;
}

const FLOW_CHANGES: Record<string, Change[]> = {
  Create: ["created"],
  Update: ["updated"],
  CreateAndUpdate: ["created", "updated"],
  Delete: ["deleted"],
};

export function foundFlow(row: Row, isProcess: boolean, names: ObjectNames): FoundAutomation {
  const [process, trigger] = [text(row.ProcessType), text(row.TriggerType)];
  return {
    kind: isProcess ? "process_builder_flows" : "flows",
    name: text(row.Label) ?? text(row.ApiName) ?? text(row.DurableId) ?? "?",
    object: objectOfFlow(row, names),
    active: Boolean(row.ActiveVersionId),
    trigger: trigger ?? process,
    changes: FLOW_CHANGES[text(row.RecordTriggerType) ?? ""] ?? [],
  };
}

const USAGES: [change: Change, usages: string[]][] = [
  ["created", ["UsageBeforeInsert", "UsageAfterInsert"]],
  ["updated", ["UsageBeforeUpdate", "UsageAfterUpdate"]],
  ["deleted", ["UsageBeforeDelete", "UsageAfterDelete"]],
];

export const TRIGGER_FIELDS = [
  "Name",
  "TableEnumOrId",
  "LengthWithoutComments",
  ...USAGES.flatMap(([, usages]) => usages),
];

export function foundTrigger(row: Row, names: ObjectNames): FoundAutomation {
  const characters = row.LengthWithoutComments;
  return {
    kind: "triggers",
    name: text(row.Name) ?? "?",
    object: objectOf(row.TableEnumOrId, names),
    active: row.Status === "Active",
    trigger: null,
    changes: USAGES.filter(([, usages]) => usages.some((usage) => row[usage] === true)).map(([change]) => change),
    ...(typeof characters === "number" && characters >= 0 && { characters }),
  };
}

export function foundRule(row: Row, active: boolean, names: ObjectNames): FoundAutomation {
  const object = objectOf(row.TableEnumOrId, names);
  return { kind: "workflows", name: text(row.Name) ?? "?", object, active, trigger: null, changes: [] };
}

export const VALIDATION_FIELDS = ["ValidationName", "EntityDefinition.QualifiedApiName"];

export function foundValidation(row: Row): FoundAutomation {
  const entity = row.EntityDefinition;
  const object = typeof entity === "object" && entity !== null ? text((entity as Row).QualifiedApiName) : null;
  const name = text(row.ValidationName) ?? "?";
  return { kind: "validation_rules", name, object, active: row.Active === true, trigger: null, changes: [] };
}
