import { hash } from "node:crypto";

import type { DuplicateChoices, Form } from "@/lib/migration/configuration/duplicate-rules";
import { CUSTOM_PREFIX } from "@/lib/migration/configuration/custom-fields";
import { fieldOf } from "@/lib/migration/configuration/mapping-rules";
import { normalize } from "@/lib/migration/duplicates/normalize";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A value of a record by the name of the field in the rules. */
export type ValueOf = (field: string) => unknown;

/** Keys of one record by one rule: a rule of two times two fields has four at most, with four times four sixteen. */
const MAX_KEYS_PER_RULE = 16;

/** Longer keys are replaced by their digest. */
const MAX_KEY_LENGTH = 100;

const SEPARATOR = "\u001f";

/**
 * Makes the function that gives a record its match keys: two records match by a rule if they have a key of it in
 * common. A record that lacks one of a rule's values has no key of it. Keys sort in the order of the rules.
 */
export function keysBy(
  resource: ResourceName,
  { rules, calling_code: callingCode }: Pick<DuplicateChoices, "rules" | "calling_code">,
): (valueOf: ValueOf) => string[] {
  const compiled = rules.map(({ match }) =>
    match.map(({ fields, as }) => ({ fields, form: as ?? formOf(resource, fields[0] ?? "") })),
  );
  return (valueOf) =>
    compiled.flatMap((criteria, index) => {
      const values = criteria.map(({ fields, form }) =>
        distinct(fields.map((field) => normalize(valueOf(field), form, callingCode))),
      );
      return combinations(values).map((parts) => keyOf(index, parts));
    });
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter((value) => value !== null);
}

function combinations(values: readonly string[][]): string[][] {
  return values.reduce<string[][]>(
    (combined, options) =>
      combined.flatMap((parts) => options.map((option) => [...parts, option])).slice(0, MAX_KEYS_PER_RULE),
    [[]],
  );
}

function keyOf(rule: number, parts: readonly string[]): string {
  const text = parts.join(SEPARATOR);
  const value = text.length > MAX_KEY_LENGTH ? hash("sha256", text, "base64url") : text;
  return `${String(rule).padStart(2, "0")}:${value}`;
}

/** The form that suits a field, unless the rule names one. */
function formOf(resource: ResourceName, field: string): Form {
  if (field.startsWith(CUSTOM_PREFIX)) return "text";
  if (/(?:^|_)email$/.test(field)) return "email";
  if (field.endsWith("phone")) return "phone";
  if (field === "website") return "domain";
  return fieldOf(resource, field).kind === "text" ? "text" : "exact";
}
