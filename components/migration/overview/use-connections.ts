import { useInfiniteQuery } from "@tanstack/react-query";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { connection } from "@/lib/migration/connections/connection-schema";

const connectionPage = pageOf(connection);

/** The Salesforce orgs that are connected, page after page, newest first. */
export function useConnections() {
  return useInfiniteQuery({
    queryKey: queryKeys.connections(),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam && `?cursor=${encodeURIComponent(pageParam)}`;
      return getJson(`/migration/connections${query}`, connectionPage, signal);
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}
