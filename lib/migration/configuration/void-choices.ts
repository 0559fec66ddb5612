import type { Fault } from "@/lib/errors";
import { unescapePointer } from "@/lib/input/parse-input";
import { type Configuration, configuration as schema } from "@/lib/migration/configuration/configuration-schema";
import { isObject } from "@/lib/input/bounded-json";

/** Faults of choices that were possible until the org or the organization changed. */
const VOID_CODES: ReadonlySet<string> = new Set([
  "not_selectable",
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

/**
 * A configuration without the choices at these pointers: fields and values follow the report again, objects are
 * deselected, owners are not chosen. Choices in lists, whose places would move, stay.
 */
export function withoutChoices(given: Configuration, pointers: readonly string[]): Configuration {
  const copy = structuredClone(given) as Json;
  for (const pointer of pointers) {
    const path = pointer.split("/").slice(1).map(unescapePointer);
    const last = path.pop() ?? "";
    const parent = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), copy);
    if (!isObject(parent) || !Object.hasOwn(parent, last)) continue;
    if (last === "selected") parent[last] = false;
    else delete parent[last];
  }
  return schema.parse(copy);
}
