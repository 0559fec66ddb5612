import type { z } from "zod";

import { pageOf } from "@/components/api/page-schema";
import { getJson } from "@/components/api/request";

const PAGE_SIZE = "200";

/** Every item of a list of the API, page after page: for choices, of which all have to be offered. Throws `Problem`. */
export async function loadAll<Item extends z.ZodType>(
  path: string,
  item: Item,
  signal: AbortSignal,
): Promise<z.output<Item>[]> {
  const page = pageOf(item);
  const items: z.output<Item>[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: PAGE_SIZE, ...(cursor && { cursor }) });
    const answer: z.output<typeof page> = await getJson(`${path}?${query}`, page, signal);
    items.push(...answer.data);
    cursor = answer.next_cursor;
  } while (cursor);
  return items;
}
