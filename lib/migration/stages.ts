import { MIGRATED_OBJECTS, type MigratedObjectName } from "@/lib/migration/schemas";

/** What has to be done once all records of a stage are in. */
export type StageFinish = "link_to_own_kind" | "number_threads" | null;

interface Stage {
  objects: readonly MigratedObjectName[];
  finish: StageFinish;
}

/** The order of import: what others refer to comes first. Accounts, contacts and cases also refer to their own kind, in any order. */
const STAGES: readonly Stage[] = [
  { objects: ["Account"], finish: "link_to_own_kind" },
  { objects: ["Contact"], finish: "link_to_own_kind" },
  { objects: ["Case"], finish: "link_to_own_kind" },
  { objects: ["CaseComment", "EmailMessage"], finish: "number_threads" },
  { objects: ["Task", "Event"], finish: null },
];

/** The place of an object in the order of import, from 0. */
export function positionOf(object: MigratedObjectName): number {
  return MIGRATED_OBJECTS.indexOf(object);
}

/** What to do after an object, given all objects of the run: its stage's finish, if it is the last of its stage. */
export function finishAfter(object: MigratedObjectName, selected: readonly MigratedObjectName[]): StageFinish {
  const stage = STAGES.find((candidate) => candidate.objects.includes(object));
  const last = stage?.objects.findLast((name) => selected.includes(name));
  return last === object ? (stage?.finish ?? null) : null;
}
