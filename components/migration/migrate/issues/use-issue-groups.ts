import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { momentOf } from "@/components/migration/use-migration";
import type { IssueGroups } from "@/lib/migration/issue-schema";
import type { Migration } from "@/lib/migration/migration-schema";

/** The reasons why the latest run left out records, with their numbers. */
export function useIssueGroups(migration: Migration) {
  const { migration_id: id } = migration;
  return useQuery({
    queryKey: queryKeys.issues(id, momentOf(migration)),
    queryFn: async ({ signal }) => (await getJson<IssueGroups>(`/migration/${id}/errors/summary`, signal)).data,
  });
}
