import { useInfiniteQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { recordPage } from "@/components/records/record";
import type { ResourceName } from "@/lib/records/schema/resources";

/** A list, newest first, page after page. `filter` is a query string such as `account_id=…`, or empty. */
export function useRecords(resource: ResourceName, filter: string) {
  return useInfiniteQuery({
    queryKey: queryKeys.records(resource, filter),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(filter);
      if (pageParam) query.set("cursor", pageParam);
      return getJson(`/${resource}?${query}`, recordPage, signal);
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}
