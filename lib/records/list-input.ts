import { z } from "zod";

import { AppError } from "@/lib/errors";
import { idInput } from "@/lib/id-input";
import { CURSOR_FAULT, pageInput } from "@/lib/page";
import { type PairCursor, pairCursorInput } from "@/lib/pair-cursor";
import type { Entity } from "@/lib/records/entity";
import { filterSchemas } from "@/lib/records/filters";
import { type TimeRange, timeRangeOf, timeRangeSchemas } from "@/lib/records/time-range";
import { type View, viewInput } from "@/lib/records/view-input";
import type { Values } from "@/lib/records/write-input";

/**
 * What a list is asked for. It is ordered by creation, that is by id, unless it is narrowed by `updated_at`: then by (updated_at, id), oldest
 * change first unless asked otherwise, so that what changes while a client pages moves ahead of it and is never missed.
 */
export interface ListRequest extends View {
  limit: number;
  order: "asc" | "desc";
  position: { by: "created"; cursor?: string | undefined } | { by: "updated"; cursor?: PairCursor | undefined; range: TimeRange };
  created?: TimeRange | undefined;
  /** Field name → the one value that its records have. */
  filters: Values;
  q?: string | undefined;
  total: boolean;
}

/** The parameters of an entity's list. */
export function listInput(entity: Entity) {
  return z.strictObject({
    ...pageInput,
    cursor: cursorInput.exactOptional().describe("`next_cursor` of the page before; absent for the first page."),
    order: z
      .enum(["asc", "desc"], "`order` must be `asc` or `desc`.")
      .exactOptional()
      .describe(
        "By creation, newest first (`desc`, the default) or oldest first; with `updated_at[…]` by last change, oldest first (`asc`) by default.",
      ),
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

/** An id in a list by creation, a time and an id in one by last change. */
const cursorInput = z.string(CURSOR_FAULT).transform((given, context): string | PairCursor => {
  const id = idInput(CURSOR_FAULT).safeParse(given);
  if (id.success) return id.data;
  const pair = pairCursorInput().safeParse(given);
  if (pair.success) return pair.data;
  context.addIssue({ code: "custom", message: CURSOR_FAULT, params: { code: "invalid_cursor" } });
  return z.NEVER;
});

/** Reads parsed parameters. Throws `invalid_request` for a cursor of a list in another order. */
export function listRequest(entity: Entity, parameters: z.output<ReturnType<typeof listInput>>): ListRequest {
  const { limit, order, cursor, fields, expand, include, ...rest } = parameters;
  const values: Values = rest;
  const changes = timeRangeOf("updated_at", values);
  const filters = Object.fromEntries(Object.entries(values).filter(([name]) => entity.fields[name]?.filterable));
  return {
    limit,
    order: order ?? (changes ? "asc" : "desc"),
    position: changes ? { by: "updated", cursor: pairOnly(cursor), range: changes } : { by: "created", cursor: idOnly(cursor) },
    created: timeRangeOf("created_at", values),
    filters,
    q: values.q as string | undefined,
    total: include === "total",
    fields,
    expand,
  };
}

function idOnly(cursor: string | PairCursor | undefined): string | undefined {
  if (typeof cursor === "object") throw foreignCursor("This `cursor` is of a list by last change: pass the same `updated_at[…]` with it.");
  return cursor;
}

function pairOnly(cursor: string | PairCursor | undefined): PairCursor | undefined {
  if (typeof cursor === "string") throw foreignCursor("This `cursor` is of a list by creation: with `updated_at[…]` begin at the first page.");
  return cursor;
}

function foreignCursor(detail: string): AppError {
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/cursor", code: "invalid_cursor", detail }] });
}
