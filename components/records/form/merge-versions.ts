import { inputOfSame } from "@/components/records/form/custom-inputs";
import { type FormValues, valuesOf } from "@/components/records/form/record-values";
import type { AnyRecord } from "@/components/records/record";
import type { ResourceName } from "@/lib/records/schema/resources";

export interface Merge {
  /** The values of the form with what only the others have changed; undefined for an input that another replaces. */
  values: FormValues;
  /** The values of the others, each under the reader's input of it. */
  theirs: FormValues;
  /** The fields that only the others have changed. */
  taken: string[];
  /** The fields that both have changed, to different values. */
  contested: string[];
}

/**
 * Merges the reader's input with what others have changed meanwhile (a three-way merge): `known` is what the reader
 * began with, `now` what is there now. A contested field keeps the reader's value until they decide.
 */
export function mergeVersions(resource: ResourceName, known: AnyRecord, now: AnyRecord, mine: FormValues): Merge {
  const beginning = valuesOf(resource, known);
  const edited = Object.keys(mine).filter((name) => mine[name] !== beginning[name]);
  const before = underInputs(beginning, edited);
  const theirs = underInputs(valuesOf(resource, now), edited);
  const changed = Object.keys({ ...before, ...theirs }).filter((name) => theirs[name] !== before[name]);
  const untouched = changed.filter((name) => mine[name] === before[name]);
  // Where others have given a custom field a value of another kind, it has another input.
  const isReplaced = (name: string) => inputOfSame(Object.keys(theirs), name) !== name;
  const taken = untouched.filter((name) => !isReplaced(name));
  const contested = changed.filter((name) => mine[name] !== before[name] && mine[name] !== theirs[name]);
  const values = { ...mine };
  for (const name of untouched) values[name] = isReplaced(name) ? undefined : (theirs[name] ?? "");
  return { values, theirs, taken, contested };
}

/** Values by the inputs in which the reader has changed them. */
function underInputs(values: FormValues, edited: readonly string[]): FormValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [inputOfSame(edited, name), value]));
}
