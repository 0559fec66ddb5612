import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import { STATUSES } from "@/components/migration/wizard/migration-statuses";
import type { HistoryEntry } from "@/lib/migration/history/history-schema";
import type { Migration } from "@/lib/migration/migration-schema";

const POLL_MS = 3000;

/** After each move of a migration, it has a new history. */
export function historyKey({ migration_id: id, status, run_number: run, updated_at: moved }: Migration) {
  return queryKeys.history(id, `${run} ${status} ${STATUSES[status].isLive ? "" : moved}`);
}

/** What happened to a migration, the latest first; read again while it is worked on, and after each of its moves. */
export function useHistory(migration: Migration) {
  const { migration_id: id, status } = migration;
  return useList<HistoryEntry>({
    queryKey: historyKey(migration),
    path: `/migration/${id}/history?limit=${SHORT_PAGE}`,
    keepsPrevious: true,
    refetchEvery: () => (STATUSES[status].isLive ? POLL_MS : false),
  });
}
