import { getJson } from "@/components/api/request";
import { type Page, withCursor, withParameter } from "@/components/api/use-list";
import { MAX_LIMIT } from "@/lib/input/limits";

/** Every item of a list of the API, in the list's order. Throws `Problem`. */
export async function loadAll<Item>(path: string, signal: AbortSignal): Promise<Item[]> {
  const firstPage = withParameter(path, "limit", MAX_LIMIT);
  const items: Item[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const answer: Page<Item> = await getJson<Page<Item>>(withCursor(firstPage, cursor), signal);
    items.push(...answer.data);
    cursor = answer.next_cursor;
  }
  return items;
}
