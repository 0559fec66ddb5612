import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { STATUSES } from "@/components/migration/wizard/migration-statuses";
import { migration } from "@/lib/migration/migration-schema";

const POLL_MS = 1000;

/** The current migration; polled every second while its status changes without the user. */
export function useMigration(id: string) {
  return useQuery({
    queryKey: queryKeys.migration(id),
    queryFn: ({ signal }) => getJson(`/migration/${id}`, migration, signal),
    refetchInterval: (query) => (query.state.data && STATUSES[query.state.data.status].isLive ? POLL_MS : false),
    staleTime: 0,
  });
}
