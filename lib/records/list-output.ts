import { z } from "zod";

import { pageOutput } from "@/lib/page";

/** A page of records. Its cursor is an id, or a time and an id where the list is by last change: either way nothing for clients to read. */
export function listOutput<Item extends z.ZodType>(item: Item) {
  return pageOutput(item).extend({
    next_cursor: z.string().nullable(),
    total: z.int().exactOptional().describe("How many records there are on all pages together; only with `include=total`."),
  });
}
