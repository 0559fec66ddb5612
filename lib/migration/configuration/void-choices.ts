import type { Fault } from "@/lib/errors";
import { unescapePointer } from "@/lib/input/parse-input";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { isObject } from "@/lib/input/bounded-json";

/** Faults of choices that were possible until the org, the organization or the service changed. */
const VOID_CODES: ReadonlySet<string> = new Set([
  "not_selectable",
  "not_offered",
  "unknown_field",
  "unmapped_field",
  "unknown_source_value",
  "no_relationship",
  "unknown_member",
]);

function isVoid({ code }: Fault): boolean {
  return VOID_CODES.has(code);
}

/** Splits faults: choices that name what is no longer there, and those that were never possible. */
export function splitFaults(faults: readonly Fault[]): { gone: Fault[]; impossible: Fault[] } {
  return { gone: faults.filter(isVoid), impossible: faults.filter((fault) => !isVoid(fault)) };
}

type Json = Record<string, unknown>;

/** A rule for duplicates is left out whole: one that compared less would merge more. */
const IN_RULE = /^(?<rule>.*\/duplicates\/rules\/\d+)\/.*$/;

/**
 * A configuration without the choices at these pointers: fields and values follow the report again, objects are
 * deselected, owners are not chosen, and there is no such rule.
 */
export function withoutChoices(given: Configuration, pointers: readonly string[]): Configuration {
  const copy = structuredClone(given) as Json;
  const whole = new Set(pointers.map((pointer) => pointer.replace(IN_RULE, "$<rule>")));
  // The last rule first, so that the places of the others do not move.
  for (const pointer of [...whole].toSorted((one, other) => other.localeCompare(one, "en", { numeric: true }))) {
    const path = pointer.split("/").slice(1).map(unescapePointer);
    const last = path.pop() ?? "";
    const parent = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), copy);
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    if (!isObject(parent) || !Object.hasOwn(parent, last)) continue;
    if (last === "selected") parent[last] = false;
    else delete parent[last];
  }
  return configurationSchema.parse(copy);
}
