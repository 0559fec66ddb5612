import { useInfiniteQuery } from "@tanstack/react-query";
import type { z } from "zod";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { recordIssue } from "@/lib/migration/schemas";

const issuePage = pageOf(recordIssue);
const PAGE_SIZE = "25";

export type Outcome = z.infer<typeof recordIssue>["outcome"];

/** The records of the latest run that were not imported, of one outcome, page after page. */
export function useIssues(id: string, outcome: Outcome) {
  return useInfiniteQuery({
    queryKey: queryKeys.issues(id, outcome),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ outcome, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) });
      return getJson(`/migration/${id}/errors?${query}`, issuePage, signal);
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}
