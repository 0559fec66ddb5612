import { z } from "zod";

import { nearest } from "@/lib/nearest";
import type { Entity } from "@/lib/records/entity";
import { type Expansion, expansionOutput, expansionsOf } from "@/lib/records/expansions";

/** Which fields an answer has, and which references it holds in full. Undefined: every field; none. */
export interface View {
  fields?: string[] | undefined;
  expand?: Expansion[] | undefined;
}

/** The parameters `fields` and `expand`, which lists and single records take alike. */
export function viewInput(entity: Entity) {
  const fields = Object.keys(entity.fields);
  const expansions = expansionsOf(entity);
  const expandable = expansions.map(({ name }) => name);
  return {
    fields: commaList((name) => (fields.includes(name) ? undefined : unknownField(entity, name, fields, expandable)))
      .transform((given) => fields.filter((name) => name === "id" || given.includes(name)))
      .exactOptional()
      .describe("Only these fields, separated by commas; `id` always is among them. Absent: all fields."),
    expand: commaList((name) => (expandable.includes(name) ? undefined : unknownExpansion(entity, name, expandable)))
      .transform((given) => expansions.filter(({ name }) => given.includes(name)))
      .exactOptional()
      .describe(`References whose record the answer holds in full, separated by commas: ${expandable.join(", ")}.`),
  };
}

/** A record as `fields` and `expand` may make it: any field but `id` can be missing, and references can stand there in full. */
export function viewOutput(entity: Entity): z.ZodType {
  const expanded = Object.fromEntries(expansionsOf(entity).map((expansion) => [expansion.name, expansionOutput(expansion).exactOptional()]));
  const fields = Object.entries<z.ZodType>(entity.output.shape).map(([name, schema]) => [name, name === "id" ? schema : schema.exactOptional()]);
  return z.object({ ...(Object.fromEntries(fields) as Record<string, z.ZodType>), ...expanded });
}

/** Names separated by commas. `faultOf` says what is wrong with one. */
function commaList(faultOf: (name: string) => string | undefined) {
  return z
    .string()
    .max(2_000, { error: "At most 2,000 characters.", abort: true })
    .superRefine((given, context) => {
      for (const name of new Set(split(given))) {
        const message = name === "" ? "A name is empty; write names separated by single commas, or leave the parameter out." : faultOf(name);
        if (message) context.addIssue({ code: "custom", message });
      }
    })
    .transform(split);
}

function split(given: string): string[] {
  return given.split(",").map((name) => name.trim());
}

function unknownField(entity: Entity, name: string, fields: readonly string[], expandable: readonly string[]): string {
  if (expandable.includes(name)) return `\`${name}\` is not a field of ${entity.resource}: \`expand=${name}\` shows it, whatever \`fields\` names.`;
  const meant = nearest(name, fields);
  return `\`${name}\` is not a field of ${entity.resource}${meant ? `; did you mean \`${meant}\`?` : `. Fields are ${fields.join(", ")}.`}`;
}

function unknownExpansion(entity: Entity, name: string, expandable: readonly string[]): string {
  const meant = nearest(name, expandable);
  const hint = meant ? `; did you mean \`${meant}\`?` : `. What can be expanded: ${expandable.join(", ")}.`;
  return `\`${name}\` is not a reference of ${entity.resource}${hint}`;
}
