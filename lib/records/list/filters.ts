import { z } from "zod";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { idInput } from "@/lib/input/ids-and-times";
import { suggest } from "@/lib/input/suggest";
import { hasScope } from "@/lib/operation";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";

/** The filters of an entity's list, each with the schema of its value in a query. */
export function filterSchemas(entity: Entity): Record<string, z.ZodType> {
  const filters = entity.filters.map((name) => {
    const field = entity.fields[name];
    if (!field) return [name, migrationInput];
    const only = field.unique ? `Only the record with this \`${name}\`.` : `Only records with this \`${name}\`.`;
    return [
      name,
      filterInput(name, field)
        .exactOptional()
        .describe(`${only}${caseNote(entity, name, field)}`),
    ];
  });
  return Object.fromEntries(filters);
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
  if (field.kind === "reference") {
    return idInput(
      `\`${name}\` must be the id of a ${field.references === "users" ? "user" : "record"}: a UUID of version 7.`,
    );
  }
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

function enumFilter(name: string, values: string[]) {
  return z.enum(values, {
    error: ({ input }) => {
      const suggestion = typeof input === "string" ? suggest(input, values) : undefined;
      return (
        `\`${name}\` must be one of ` +
        `${values.map((value) => `\`${value}\``).join(", ")}${suggestion ? `; did you mean \`${suggestion}\`?` : "."}`
      );
    },
  });
}

function textFilter(name: string) {
  return z
    .string()
    .min(1, `\`${name}\` must not be empty.`)
    .max(255, `\`${name}\` may have at most 255 characters.`)
    .refine((value) => !value.includes("\0"), `\`${name}\` must not contain the character U+0000.`);
}
