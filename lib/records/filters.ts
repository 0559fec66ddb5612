import { z } from "zod";

import { idInput } from "@/lib/id-input";
import type { Entity } from "@/lib/records/entity";

/** The fields by which an entity's list can be narrowed, each with the schema of its value. */
export function filterSchemas(entity: Entity): Record<string, z.ZodType> {
  const filterable = Object.entries(entity.fields).filter(([, field]) => field.filterable);
  return Object.fromEntries(filterable.map(([name, field]) => [name, field.kind === "reference" ? idOf(name) : exactText(name)]));
}

function idOf(name: string) {
  return idInput(`\`${name}\` must be the id of a record: a UUID of version 7.`).exactOptional().describe(`Only records with this \`${name}\`.`);
}

function exactText(name: string) {
  return z
    .string()
    .min(1, `\`${name}\` must not be empty.`)
    .max(255, `\`${name}\` may have at most 255 characters.`)
    .refine((value) => !value.includes("\0"), `\`${name}\` must not contain the character U+0000.`)
    .exactOptional()
    .describe(`Only the record with this \`${name}\`.`);
}
