import type { z } from "zod";

import { pageOf } from "@/components/api/page-schema";
import { getJson } from "@/components/api/request";
import { withCursor } from "@/components/api/use-list";
import { MAX_LIMIT } from "@/lib/input/page";

/** Every item of a list of the API, in the list's order. Throws `Problem`. */
export async function loadAll<Item extends z.ZodType>(
  path: string,
  item: Item,
  signal: AbortSignal,
): Promise<z.output<Item>[]> {
  const page = pageOf(item);
  const firstPage = `${path}${path.includes("?") ? "&" : "?"}limit=${MAX_LIMIT}`;
  const items: z.output<Item>[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const answer: z.output<typeof page> = await getJson(withCursor(firstPage, cursor), page, signal);
    items.push(...answer.data);
    cursor = answer.next_cursor;
  }
  return items;
}
