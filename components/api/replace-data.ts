import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Shows what a change has returned. A read that began before the change is cancelled: its answer would bring back what
 * was there, and a page that polls for the end of something would see nothing to wait for.
 */
export async function replaceData(queries: QueryClient, queryKey: QueryKey, data: unknown): Promise<void> {
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData(queryKey, data);
}
