import { z } from "zod";

import type { Context } from "@/lib/context";
import { hasScope } from "@/lib/context";
import { AppError } from "@/lib/errors";
import type { Entity } from "@/lib/records/entity";
import { ENTITIES } from "@/lib/records/registry";
import type { ResourceName } from "@/lib/records/resources";

/** A reference whose record an answer can hold in full: `account` beside `account_id`. */
export interface Expansion {
  name: string;
  /** The field that holds the id. */
  field: string;
  references: ResourceName | "users";
}

/** What of a user an expansion shows. */
const user = z.object({ id: z.uuid(), name: z.string(), email: z.string() });

/** Every reference of an entity, by the name without `_id`. */
export function expansionsOf(entity: Entity): Expansion[] {
  return Object.entries(entity.fields).flatMap(([field, { references }]) =>
    references ? [{ name: field.replace(/_id$/, ""), field, references }] : [],
  );
}

/** The schema of an expansion in answers. Null where there is no reference, or where it leads to nobody of the organization any more. */
export function expansionOutput({ references }: Expansion): z.ZodType {
  return (references === "users" ? user : ENTITIES[references].output).nullable();
}

/** Who may read products alone learns no more through them. Throws `insufficient_scope`. */
export function assertMayExpand(context: Context, expansions: readonly Expansion[]): void {
  for (const { name, references } of expansions) {
    const scopes = references === "users" ? (["crm:read"] as const) : ENTITIES[references].readScopes;
    if (!scopes.some((scope) => hasScope(context, scope))) {
      throw new AppError("insufficient_scope", `To expand \`${name}\`, this needs the scope ${scopes.join(" or ")}.`);
    }
  }
}
