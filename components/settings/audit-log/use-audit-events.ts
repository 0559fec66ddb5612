import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { auditPage } from "@/components/settings/audit-log/audit-event";
import { apiQuery, type AuditFilter } from "@/components/settings/audit-log/filter/filter";

/** The log, newest first, page after page. While another filter's first page is on its way, the rows before it stay. */
export function useAuditEvents(filter: AuditFilter) {
  const narrowed = apiQuery(filter);
  return useInfiniteQuery({
    queryKey: queryKeys.auditEvents(narrowed),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(narrowed);
      if (pageParam) query.set("cursor", pageParam);
      return getJson(`/settings/audit_events?${query}`, auditPage, signal);
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}
