import { z } from "zod";

import { pageOutput } from "@/lib/page";

/** A page of records, with their number where it was asked for. */
export function listOutput<Item extends z.ZodType>(item: Item) {
  return pageOutput(item).extend({
    total: z.int().exactOptional().describe("How many records there are on all pages together; only with `include=total`."),
  });
}
