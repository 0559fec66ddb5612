import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import { STATUSES } from "@/components/migration/wizard/migration-statuses";
import type { HistoryEntry } from "@/lib/migration/history/history-schema";
import type { Migration } from "@/lib/migration/migration-schema";

const POLL_MS = 3000;

/** What happened to a migration, the latest first; read again while it is worked on, and after each of its moves. */
export function useHistory({ migration_id: id, status, run_number: run, updated_at: moved }: Migration) {
  return useList<HistoryEntry>({
    queryKey: queryKeys.history(id, `${run} ${status} ${STATUSES[status].isLive ? "" : moved}`),
    path: `/migration/${id}/history?limit=${SHORT_PAGE}`,
    keepsPrevious: true,
    refetchEvery: () => (STATUSES[status].isLive ? POLL_MS : false),
  });
}
