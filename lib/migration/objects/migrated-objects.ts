import { z } from "zod";

/** Source objects that a migration imports, in the order of import. */
export const MIGRATED_OBJECTS = ["Account", "Contact", "Case", "CaseComment", "EmailMessage", "Task", "Event"] as const;

export const migratedObject = z.enum(MIGRATED_OBJECTS);

export type MigratedObjectName = z.infer<typeof migratedObject>;

/** Reported with the status `planned`; they cannot be selected yet. */
export const PLANNED_OBJECTS = ["Lead", "Opportunity", "Product2"] as const;

/** What the objects that a migration imports are called everywhere, in the plural. */
const OBJECT_NAMES: Record<MigratedObjectName, string> = {
  Account: "Accounts",
  Contact: "Contacts",
  Case: "Cases",
  CaseComment: "Case comments",
  EmailMessage: "E-mail messages",
  Task: "Tasks",
  Event: "Events",
};

export function objectName(object: MigratedObjectName): string {
  return OBJECT_NAMES[object];
}

/** What an object of a report is called: our word for what a migration imports, the org's own for the rest. */
export function objectLabel({ object, label }: { object: string; label: string }): string {
  return isMigrated(object) ? OBJECT_NAMES[object] : label;
}

/** Whether an object of an org is one that a migration imports. */
export function isMigrated(object: string): object is MigratedObjectName {
  return Object.hasOwn(OBJECT_NAMES, object);
}

interface Part {
  parent: MigratedObjectName;
  /** Whether every record needs its parent. An e-mail without a case becomes an activity. */
  required: boolean;
}

/** Objects whose records belong to those of another, without which they fail. */
export const PART_OF: Partial<Record<MigratedObjectName, Part>> = {
  CaseComment: { parent: "Case", required: true },
  EmailMessage: { parent: "Case", required: false },
};

/** What has to be done once all records of a stage are in. */
export type StageFinish = "link_self_references" | "number_threads" | null;

interface Stage {
  objects: readonly MigratedObjectName[];
  finish: StageFinish;
}

/**
 * The order of import: what others refer to comes first. Accounts, contacts and cases also refer to their own kind, in
 * any order.
 */
const STAGES: readonly Stage[] = [
  { objects: ["Account"], finish: "link_self_references" },
  { objects: ["Contact"], finish: "link_self_references" },
  { objects: ["Case"], finish: "link_self_references" },
  { objects: ["CaseComment", "EmailMessage"], finish: "number_threads" },
  { objects: ["Task", "Event"], finish: null },
];

/** The place of an object in the order of import, from 0. */
export function importPosition(object: MigratedObjectName): number {
  return MIGRATED_OBJECTS.indexOf(object);
}

/** What to do after an object, given all objects of the run: its stage's finish, if it is the last of its stage. */
export function finishAfter(object: MigratedObjectName, selected: readonly MigratedObjectName[]): StageFinish {
  const stage = STAGES.find((candidate) => candidate.objects.includes(object));
  const last = stage?.objects.findLast((name) => selected.includes(name));
  return last === object ? (stage?.finish ?? null) : null;
}
