import { z } from "zod";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { idInput } from "@/lib/input/ids-and-times";
import { didYouMean, suggest } from "@/lib/input/suggest";
import { hasScope } from "@/lib/operation";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ME } from "@/lib/records/schema/list-address";

/** The filters of an entity's list, each with the schema of its value in a query. */
export function filterSchemas(entity: Entity): Record<string, z.ZodType> {
  const filters = entity.filters.map((name) => {
    const field = entity.fields[name];
    if (!field) return [name, migrationInput];
    const only = field.unique ? `Only the record with this \`${name}\`` : `Only records with this \`${name}\``;
    return [
      name,
      filterInput(name, field)
        .exactOptional()
        .describe(`${only}${valuesNote(field)}.${caseNote(entity, name, field)}`),
    ];
  });
  return Object.fromEntries(filters);
}

/** What the value can be, beside a single one. */
function valuesNote({ references, values }: Field): string {
  if (references === "users") return `; \`${ME}\` is whoever asks`;
  return values ? `, or with one of several, separated by commas: ${listed(values)}` : "";
}

export function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** Whoever looks for a person by an address in lower case may not find one who is here, and create them twice. */
function caseNote({ search }: Entity, name: string, { kind }: Field): string {
  if (kind !== "text") return "";
  return ` Upper and lower case differ${search.includes(name) ? "; `q` ignores case." : "."}`;
}

const migrationInput = idInput("`migration_id` must be the id of a migration: a UUID of version 7.")
  .exactOptional()
  .describe("Only records that this migration has created. It needs the scope crm:read.");

/** Throws `insufficient_scope` where the scopes do not allow a filter by migration: `erp:read` tells of none. */
export function assertMayFilterByMigration(context: Context): void {
  if (!hasScope(context, "crm:read"))
    throw new AppError("insufficient_scope", "To filter by `migration_id`, this needs the scope crm:read.");
}

function filterInput(name: string, field: Field): z.ZodType {
  if (field.references === "users") return userFilter(name);
  if (field.kind === "reference") return idInput(`\`${name}\` must be the id of a record: a UUID of version 7.`);
  if (field.kind === "boolean") return booleanFilter(name);
  if (field.values) return enumFilter(name, [...field.values].map(String));
  return textFilter(name);
}

function booleanFilter(name: string) {
  return z.preprocess(
    (value) => (value === "true" ? true : value === "false" ? false : value),
    z.boolean(`\`${name}\` must be \`true\` or \`false\`.`),
  );
}

const USER = new RegExp(z.regexes.uuid7.source.replace("^(", `^(${ME}|`));

/** The id of a user, or `me`: who calls it puts the id of whoever asks in its place. */
export function userFilter(name: string) {
  const fault = `\`${name}\` must be the id of a user: a UUID of version 7, or \`${ME}\`.`;
  return z
    .string(fault)
    .regex(USER, fault)
    .toLowerCase()
    .meta({ examples: [ME] });
}

/** A single value stays one, so that its list is the same statement however many values others name. */
function enumFilter(name: string, values: string[]) {
  const fault = `\`${name}\` must be one of ${listed(values)}, or several separated by commas`;
  const one = `(${values.join("|")})`;
  return z
    .string(`${fault}.`)
    .meta({ pattern: `^${one}(,${one})*$`, examples: [values.slice(0, 2).join(",")] })
    .transform((given, issues) => {
      const chosen = [...new Set(given.split(","))];
      const unknown = chosen.find((value) => !values.includes(value));
      if (unknown === undefined) return chosen.length === 1 ? chosen[0] : chosen;
      issues.addIssue(`${fault}${didYouMean(suggest(unknown, values))}`);
      return z.NEVER;
    });
}

function textFilter(name: string) {
  return z
    .string()
    .min(1, `\`${name}\` must not be empty.`)
    .max(255, `\`${name}\` may have at most 255 characters.`)
    .refine((value) => !value.includes("\0"), `\`${name}\` must not contain the character U+0000.`);
}
