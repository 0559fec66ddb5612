import { z } from "zod";

import { AppError } from "@/lib/errors";
import { idInput } from "@/lib/input/ids-and-times";
import { MAX_LIMIT } from "@/lib/input/limits";

const DEFAULT_LIMIT = 50;

const CURSOR_FAULT = "`cursor` must be the `next_cursor` of an earlier page, unchanged.";

/** A number of records from 1 to `max`. A query has it as text, an MCP tool as a number; both are accepted. */
export function countInput(name: string, max: number, otherwise: number) {
  const fault = `\`${name}\` must be a whole number from 1 to ${max}.`;
  return z.preprocess(
    (value) => (typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value),
    // The default is set inside, because the generator of the API description does not see one around the
    // preprocessing.
    z.int(fault).min(1, fault).max(max, fault).default(otherwise),
  );
}

/**
 * The parameters of every list. A cursor is only a position in time, so one of another list is harmless: the page
 * begins at that moment, within the caller's organization.
 */
export const pageInput = {
  limit: countInput("limit", MAX_LIMIT, DEFAULT_LIMIT).describe(
    "The maximum number of records of the page; it has fewer where records are large.",
  ),
  cursor: idInput(CURSOR_FAULT, "invalid_cursor")
    .optional()
    .describe("`next_cursor` of the previous page; absent for the first page."),
};

/** The refusal of a cursor that is an id but no position in the list. */
export function invalidCursor(detail = CURSOR_FAULT): AppError {
  return new AppError("invalid_request", detail, { errors: [{ pointer: "/cursor", code: "invalid_cursor", detail }] });
}

/** The envelope of a page. `next_cursor` is the id of its last record, and null on the last page. */
export function pageOutput<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), next_cursor: z.uuidv7().nullable(), has_more: z.boolean() });
}

/** A page of at most `limit` rows, from a query that selected one more. `idOf` gives a row's cursor. */
export function cutPage<Row>(rows: readonly Row[], limit: number, idOf: (row: Row) => string) {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const has_more = rows.length > limit;
  return { data, next_cursor: has_more && last !== undefined ? idOf(last) : null, has_more };
}
