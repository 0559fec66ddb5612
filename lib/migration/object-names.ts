import type { MigratedObjectName } from "@/lib/migration/schemas";

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
