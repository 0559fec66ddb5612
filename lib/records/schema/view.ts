import { z } from "zod";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { didYouMean, suggest } from "@/lib/input/suggest";
import { hasScope } from "@/lib/operation";
import type { Entity } from "@/lib/records/schema/entity";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { recordOutput } from "@/lib/records/schema/field-schema";

/** Which fields a response has, and which references it expands. Undefined: all fields; none. */
export interface View {
  fields?: string[] | undefined;
  expand?: Expansion[] | undefined;
}

/** The parameters `fields` and `expand` of lists and single records. */
export function viewInput(entity: Entity) {
  const fields = Object.keys(entity.fields);
  const expansions = expansionsOf(entity);
  const expandable = expansions.map(({ name }) => name);
  return {
    fields: fieldList(entity)
      .transform((given) => fields.filter((name) => name === "id" || given.includes(name)))
      .exactOptional()
      .describe(
        "Only these fields, separated by commas; `id` is always included. Absent: all fields, although the schema of " +
          "the answer requires none but `id`.",
      ),
    expand: commaList((name) => (expandable.includes(name) ? undefined : unknownExpansion(entity, name, expandable)))
      .transform((given) => expansions.filter(({ name }) => given.includes(name)))
      .exactOptional()
      .describe(`References to expand into the record itself, separated by commas: ${expandable.join(", ")}.`),
  };
}

/** The parameter `fields` of an export, whose columns have the given order. */
export function columnsInput(entity: Entity) {
  return fieldList(entity)
    .transform((given) => [...new Set(["id", ...given])])
    .exactOptional()
    .describe("Only these fields as columns, in this order, after the `id`. Absent: all fields.");
}

function fieldList(entity: Entity) {
  const fields = Object.keys(entity.fields);
  const expandable = expansionsOf(entity).map(({ name }) => name);
  return commaList((name) => (fields.includes(name) ? undefined : unknownField(entity, name, fields, expandable)));
}

/**
 * A record in a response with `fields` and `expand`: any field but `id` can be missing, and references can be expanded.
 */
export function viewOutput(entity: Entity): z.ZodType {
  const expanded = Object.fromEntries(
    expansionsOf(entity).map((expansion) => [expansion.name, expansionOutput(expansion).exactOptional()]),
  );
  const fields = Object.entries<z.ZodType>(recordOutput(entity).shape).map(([name, schema]) => [
    name,
    name === "id" ? schema : schema.exactOptional(),
  ]);
  return z.object({ ...(Object.fromEntries(fields) as Record<string, z.ZodType>), ...expanded });
}

/** Names separated by commas. `faultOf` gives the fault of a name. */
function commaList(faultOf: (name: string) => string | undefined) {
  return z
    .string()
    .max(2_000, { error: "At most 2,000 characters.", abort: true })
    .superRefine((given, context) => {
      for (const name of new Set(split(given))) {
        const message =
          name === ""
            ? "A name is empty; write names separated by single commas, or leave the parameter out."
            : faultOf(name);
        if (message) context.addIssue({ code: "custom", message });
      }
    })
    .transform(split);
}

function split(given: string): string[] {
  return given.split(",").map((name) => name.trim());
}

function unknownField(entity: Entity, name: string, fields: readonly string[], expandable: readonly string[]): string {
  if (expandable.includes(name))
    return `\`${name}\` is not a field of ${entity.resource}: \`expand=${name}\` shows it, whatever \`fields\` names.`;
  const hint = didYouMean(suggest(name, fields), `. Fields are ${fields.join(", ")}.`);
  return `\`${name}\` is not a field of ${entity.resource}${hint}`;
}

function unknownExpansion(entity: Entity, name: string, expandable: readonly string[]): string {
  const hint = didYouMean(suggest(name, expandable), `. What can be expanded: ${expandable.join(", ")}.`);
  return `\`${name}\` is not a reference of ${entity.resource}${hint}`;
}

/** A reference that a response can expand: `account` beside `account_id`. */
export interface Expansion {
  name: string;
  /** The field that holds the id. */
  field: string;
  references: ResourceName | "users";
}

/** The part of a user that an expansion shows. */
const userOutput = z.object({ id: z.uuid(), name: z.string(), email: z.string() });

/** Every reference of an entity, named without `_id`. */
function expansionsOf(entity: Entity): Expansion[] {
  return Object.entries(entity.fields).flatMap(([field, { references }]) =>
    references ? [{ name: field.replace(/_id$/, ""), field, references }] : [],
  );
}

/**
 * The schema of an expansion. Null where there is no reference, or where it leads to no record or member of the
 * organization any more.
 */
function expansionOutput({ references }: Expansion): z.ZodType {
  return (references === "users" ? userOutput : recordOutput<Entity["fields"]>(ENTITIES[references])).nullable();
}

/**
 * Throws `insufficient_scope` for an expansion that the scopes do not allow: with `erp:read` alone, products reveal no
 * other records.
 */
export function assertMayExpand(context: Context, expansions: readonly Expansion[]): void {
  for (const { name, references } of expansions) {
    const scopes = references === "users" ? (["crm:read"] as const) : ENTITIES[references].readScopes;
    if (!scopes.some((scope) => hasScope(context, scope))) {
      throw new AppError("insufficient_scope", `To expand \`${name}\`, this needs the scope ${scopes.join(" or ")}.`);
    }
  }
}
