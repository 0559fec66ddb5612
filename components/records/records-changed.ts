import type { QueryClient } from "@tanstack/react-query";

/** What the keys begin with under which records are listed, counted or found, and their changes told. */
const ABOUT_RECORDS = new Set<unknown>(["records", "record-counts", "events", "pipeline", "stage-changes", "search"]);

/**
 * Has all that depends on records read again after some have changed. The records themselves are replaced or removed by
 * whoever has changed them. With `none`, only what is shown later is read again.
 */
export function recordsChanged(queries: QueryClient, refetchType: "active" | "none" = "active"): Promise<void> {
  return queries.invalidateQueries({
    refetchType,
    predicate: ({ queryKey }) => ABOUT_RECORDS.has(queryKey[0]) || queryKey.at(-1) === "provenance",
  });
}
