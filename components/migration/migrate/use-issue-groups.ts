import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { issueGroups } from "@/lib/migration/migration-schema";

/** Why the latest run left records out, and how many for each reason. */
export function useIssueGroups(id: string) {
  return useQuery({
    queryKey: queryKeys.issues(id),
    queryFn: async ({ signal }) => (await getJson(`/migration/${id}/errors/summary`, issueGroups, signal)).data,
  });
}
