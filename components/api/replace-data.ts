import type { InferDataFromTag, QueryClient, QueryKey, Updater } from "@tanstack/react-query";

/**
 * Shows what a change has returned, or what it makes of the data that is there. A read that began before the change is
 * cancelled: its answer would bring back what was there, and a page that polls for the end of something would see
 * nothing to wait for.
 */
export async function replaceData<Data = unknown, Key extends QueryKey = QueryKey>(
  queries: QueryClient,
  queryKey: Key,
  data: Updater<InferDataFromTag<Data, Key> | undefined, InferDataFromTag<Data, Key> | undefined>,
): Promise<void> {
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData<Data, Key>(queryKey, data);
}
