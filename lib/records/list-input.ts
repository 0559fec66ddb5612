import { z } from "zod";

import { pageInput } from "@/lib/page";
import type { Entity } from "@/lib/records/entity";
import { filterSchemas } from "@/lib/records/filters";
import { type TimeRange, timeRangeOf, timeRangeSchemas } from "@/lib/records/time-range";
import { type View, viewInput } from "@/lib/records/view-input";
import type { Values } from "@/lib/records/write-input";

/** What a list is asked for. It is ordered by creation, that is by id, which no change moves: so the cursor is the last record's id, whatever narrows the list. */
export interface ListRequest extends View {
  limit: number;
  order: "asc" | "desc";
  cursor?: string | undefined;
  created?: TimeRange | undefined;
  changed?: TimeRange | undefined;
  /** Field name → the one value that its records have. */
  filters: Values;
  q?: string | undefined;
  total: boolean;
}

/** The parameters of an entity's list. */
export function listInput(entity: Entity) {
  return z.strictObject({
    ...pageInput,
    order: z
      .enum(["asc", "desc"], "`order` must be `asc` or `desc`.")
      .exactOptional()
      .describe("By creation, newest first (`desc`, the default) or oldest first."),
    ...viewInput(entity),
    include: z
      .literal("total", "`include` can be `total`.")
      .exactOptional()
      .describe("`total`: the answer also says how many records there are on all pages together. It counts them all, so ask for it once."),
    // The parameters differ from entity to entity, so the type knows only what all lists take.
    ...(particular(entity) as unknown as Record<never, z.ZodType>),
  });
}

function particular(entity: Entity): Record<string, z.ZodType> {
  return {
    ...filterSchemas(entity),
    ...timeRangeSchemas("created_at", "created"),
    ...timeRangeSchemas("updated_at", "changed"),
    ...(entity.search.length > 0 && { q: searchInput(entity) }),
  };
}

const WORDLESS = "`q` must have a letter or a digit, and at most 200 characters.";

function searchInput(entity: Entity) {
  return z
    .string(WORDLESS)
    .max(200, WORDLESS)
    .refine((value) => /[\p{L}\p{N}]/u.test(value) && !value.includes("\0"), WORDLESS)
    .exactOptional()
    .describe(
      `Only records with words that begin with each of these, in ${entity.search.map((name) => `\`${name}\``).join(", ")}. Neither case nor accents matter.`,
    );
}

/** Reads parsed parameters. */
export function listRequest(entity: Entity, parameters: z.output<ReturnType<typeof listInput>>): ListRequest {
  const { limit, order = "desc", cursor, fields, expand, include, ...rest } = parameters;
  const values: Values = rest;
  const filters = Object.fromEntries(Object.entries(values).filter(([name]) => entity.fields[name]?.filterable));
  return {
    limit,
    order,
    cursor,
    created: timeRangeOf("created_at", values),
    changed: timeRangeOf("updated_at", values),
    filters,
    q: values.q as string | undefined,
    total: include === "total",
    fields,
    expand,
  };
}
