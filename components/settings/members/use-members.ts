import { useInfiniteQuery } from "@tanstack/react-query";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { member } from "@/lib/sessions/schemas";

const memberPage = pageOf(member);

export function memberPath(userId: string): string {
  return `/settings/members/${userId}`;
}

/** The people of the organization, newest first, page after page. */
export function useMembers() {
  return useInfiniteQuery({
    queryKey: queryKeys.members(),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson(`/settings/members${pageParam && `?cursor=${encodeURIComponent(pageParam)}`}`, memberPage, signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}
