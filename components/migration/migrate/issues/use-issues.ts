import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import type { IssueGroup } from "@/components/migration/migrate/issues/issue-words";
import { momentOf } from "@/components/migration/use-migration";
import type { RecordIssue } from "@/lib/migration/issue-schema";
import type { Migration } from "@/lib/migration/migration-schema";

/** The records that the latest run left out for one reason. */
export function useIssues(migration: Migration, { object, outcome, code }: IssueGroup) {
  const { migration_id: id } = migration;
  const query = new URLSearchParams({ object, outcome, code, limit: String(SHORT_PAGE) });
  return useList<RecordIssue>({
    queryKey: queryKeys.issues(id, `${momentOf(migration)} ${object} ${outcome} ${code}`),
    path: `/migration/${id}/errors?${query}`,
  });
}
