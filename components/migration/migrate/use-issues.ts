import { useInfiniteQuery } from "@tanstack/react-query";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import type { IssueGroup } from "@/components/migration/migrate/issue-words";
import { recordIssue } from "@/lib/migration/migration-schema";

const issuePage = pageOf(recordIssue);
const PAGE_SIZE = "25";

/** The records that the latest run left out for one reason, page by page. */
export function useIssues(id: string, { object, outcome, code }: IssueGroup) {
  return useInfiniteQuery({
    queryKey: queryKeys.issues(id, `${object} ${outcome} ${code}`),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        object,
        outcome,
        code,
        limit: PAGE_SIZE,
        ...(pageParam && { cursor: pageParam }),
      });
      return getJson(`/migration/${id}/errors?${query}`, issuePage, signal);
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}
