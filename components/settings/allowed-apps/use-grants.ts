import { useInfiniteQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { grantPage } from "@/components/settings/allowed-apps/grant";

/** What the signed-in person has allowed, newest first, page after page. */
export function useGrants() {
  return useInfiniteQuery({
    queryKey: queryKeys.grants(),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson(`/settings/grants${pageParam && `?cursor=${encodeURIComponent(pageParam)}`}`, grantPage, signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}
