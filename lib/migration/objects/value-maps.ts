import type { ImportedResource } from "@/lib/migration/objects/declaration";
import { optionsOf } from "@/lib/migration/objects/targets";

/** Patterns are tried in order on the value in lower case; they cover Salesforce's standard values and what organizations commonly add. */
type Rules = readonly (readonly [RegExp, string])[];

const CASE_STATUS: Rules = [
  [/escalat/, "escalated"],
  [/\b(?:re)?solv|\banswered/, "resolved"],
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
  [/cancel/, "cancelled"],
  [/not started|^new$|^open$|to ?do/, "not_started"],
  [/complet|done|closed|finish|sent/, "completed"],
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

const RULES: Record<string, Rules> = {
  "cases.status": CASE_STATUS,
  "cases.priority": CASE_PRIORITY,
  "activities.status": ACTIVITY_STATUS,
  "activities.priority": ACTIVITY_PRIORITY,
  "activities.type": ACTIVITY_TYPE,
};

/** `Waiting on Customer` → `waiting_on_customer`. */
function normalized(value: string): string {
  return value
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}

/** Whether a source value reads as the target value does, so that nothing is lost when only the target is kept. */
export function readsAs(value: string, target: string): boolean {
  return normalized(value) === target;
}

/** The value of an enum field that a source value means: the one that reads the same, else the first rule that matches; null when none does. */
export function suggestValue(resource: ImportedResource, field: string, value: string): string | null {
  const same = optionsOf(resource, field)?.find((option) => readsAs(value, option));
  if (same) return same;
  const lower = value.toLowerCase();
  return RULES[`${resource}.${field}`]?.find(([pattern]) => pattern.test(lower))?.[1] ?? null;
}
