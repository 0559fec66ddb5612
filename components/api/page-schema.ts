import { z } from "zod";

/** The envelope of every list. `next_cursor` requests the next page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), next_cursor: z.string().nullable(), has_more: z.boolean() });
}
