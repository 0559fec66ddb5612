import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { issueGroups } from "@/lib/migration/migration-schema";

/** The reasons why the latest run left out records, with their numbers. */
export function useIssueGroups(id: string) {
  return useQuery({
    queryKey: queryKeys.issues(id),
    queryFn: async ({ signal }) => (await getJson(`/migration/${id}/errors/summary`, issueGroups, signal)).data,
  });
}
