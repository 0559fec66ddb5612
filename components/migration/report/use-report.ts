import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { report } from "@/lib/migration/report/report-schema";

/** The report of an analysis, which never changes. */
export function useReport(id: string) {
  return useQuery({
    queryKey: queryKeys.report(id),
    queryFn: ({ signal }) => getJson(`/migration/${id}/report`, report, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
