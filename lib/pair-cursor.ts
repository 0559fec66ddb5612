import { z } from "zod";

import { CURSOR_FAULT } from "@/lib/page";

/** A position in a list that is ordered by a number and then an id: it needs no look-up, so it outlives the row that it was taken from. */
export interface PairCursor {
  /** Digits, since the number may be beyond what JavaScript holds exactly. */
  number: string;
  id: string;
}

/** Eighteen digits always fit into PostgreSQL's bigint. */
const WRITTEN = /^(\d{1,18})\.([0-9a-f-]{36})$/;

/** The cursor of a list with such an order, in a query. */
export function pairCursorInput() {
  return z
    .string()
    .max(200, { error: CURSOR_FAULT })
    .transform((given, context): PairCursor => {
      const cursor = readPairCursor(given);
      if (cursor) return cursor;
      context.addIssue({ code: "custom", message: CURSOR_FAULT, params: { code: "invalid_cursor" } });
      return z.NEVER;
    });
}

function readPairCursor(given: string): PairCursor | null {
  const [, number, id] = WRITTEN.exec(Buffer.from(given, "base64url").toString("latin1")) ?? [];
  if (number === undefined || id === undefined || !z.regexes.uuid7.test(id)) return null;
  // Base64 has several spellings of the same bytes; only ours is "unchanged".
  return writePairCursor(number, id) === given ? { number, id } : null;
}

export function writePairCursor(number: string | number, id: string): string {
  return Buffer.from(`${number}.${id}`, "latin1").toString("base64url");
}
