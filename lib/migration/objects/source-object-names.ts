/** Source objects that every migration imports (`automatic` in the report), in the order of import. */
export const AUTOMATIC_OBJECTS = [
  "Account",
  "Contact",
  "Case",
  "CaseComment",
  "EmailMessage",
  "FeedItem",
  "FeedComment",
  "Task",
  "Event",
] as const;

/** Planned objects. A migration imports those that the settings name, as a preview; see `imported-objects.ts`. */
export const PLANNED_OBJECTS = ["Lead", "Opportunity", "Product2"] as const;

/** Both lists. Only the order is new, that of import: a lead comes after what it became, an activity after its lead. */
export const IMPORT_ORDER = [
  "Account",
  "Contact",
  "Product2",
  "Opportunity",
  "Lead",
  "Case",
  "CaseComment",
  "EmailMessage",
  "FeedItem",
  "FeedComment",
  "Task",
  "Event",
] as const satisfies readonly ((typeof AUTOMATIC_OBJECTS)[number] | (typeof PLANNED_OBJECTS)[number])[];

export type SourceObjectName = (typeof IMPORT_ORDER)[number];

/** The highest phase that an object can be in. */
export const MAX_PHASE = 9;

/** The names of the imported objects in the plural, as used everywhere. */
const OBJECT_NAMES: Record<SourceObjectName, string> = {
  Account: "Accounts",
  Contact: "Contacts",
  Product2: "Products",
  Opportunity: "Opportunities",
  Lead: "Leads",
  Case: "Cases",
  CaseComment: "Case comments",
  EmailMessage: "E-mail messages",
  FeedItem: "Feed posts",
  FeedComment: "Feed comments",
  Task: "Tasks",
  Event: "Events",
};

export function objectName(object: SourceObjectName): string {
  return OBJECT_NAMES[object];
}

/** The name of an object in a report: our name for an imported object, the label of the org for others. */
export function objectLabel({ object, label }: { object: string; label: string }): string {
  return isSourceObject(object) && !isPlanned(object) ? OBJECT_NAMES[object] : label;
}

/** Whether an object is planned, though it may be imported as a preview. */
export function isPlanned(object: SourceObjectName): boolean {
  return (PLANNED_OBJECTS as readonly string[]).includes(object);
}

/** Whether a run can read an object with this status in the report. */
export function isSelectable(status: string): boolean {
  return status === "automatic" || status === "preview";
}

/** Whether a migration can import an object, be it as a preview. */
export function isSourceObject(object: string): object is SourceObjectName {
  return Object.hasOwn(OBJECT_NAMES, object);
}

interface Part {
  parent: SourceObjectName;
  /** Whether every record needs its parent. An e-mail without a case becomes an activity. */
  required: boolean;
}

/** Objects whose records belong to those of another object. Without their parent they fail. */
export const PART_OF: Partial<Record<SourceObjectName, Part>> = {
  CaseComment: { parent: "Case", required: true },
  EmailMessage: { parent: "Case", required: false },
  FeedItem: { parent: "Case", required: true },
  FeedComment: { parent: "Case", required: true },
};

/** Objects that an org has only with certain features enabled (Chatter). Without them there is nothing to migrate. */
export const OPTIONAL_OBJECTS: ReadonlySet<string> = new Set<SourceObjectName>(["FeedItem", "FeedComment"]);

/** The work to do when all records of a stage are imported. */
export type StageFinish = "link_self_references" | "number_threads" | null;

interface Stage {
  objects: readonly SourceObjectName[];
  finish: StageFinish;
}

/**
 * The order of import: objects come before those that refer to them. Accounts, contacts and cases also refer to records
 * of the same object, in any order.
 */
const STAGES: readonly Stage[] = [
  { objects: ["Account"], finish: "link_self_references" },
  { objects: ["Contact"], finish: "link_self_references" },
  { objects: ["Product2"], finish: null },
  { objects: ["Opportunity"], finish: null },
  { objects: ["Lead"], finish: null },
  { objects: ["Case"], finish: "link_self_references" },
  { objects: ["CaseComment", "EmailMessage", "FeedItem", "FeedComment"], finish: "number_threads" },
  { objects: ["Task", "Event"], finish: null },
];

/** The index of an object in the order of import. */
export function importPosition(object: SourceObjectName): number {
  return IMPORT_ORDER.indexOf(object);
}

/** The work to do after an object: that of its stage, if it is the last selected object of the stage. */
export function finishAfter(object: SourceObjectName, selected: readonly SourceObjectName[]): StageFinish {
  const stage = STAGES.find((candidate) => candidate.objects.includes(object));
  const last = stage?.objects.findLast((name) => selected.includes(name));
  return last === object ? (stage?.finish ?? null) : null;
}

/** Why a migration of no object is refused. */
export const NOTHING_SELECTED = "No object is selected, so there is nothing to migrate. Select at least one.";
