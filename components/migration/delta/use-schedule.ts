import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys, replaceData } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import type { Migration } from "@/lib/migration/migration-schema";

/** Schedules deltas every so many minutes; null stops the schedule. */
export function useSchedule(id: string) {
  const queryClient = useQueryClient();
  const path = `/migration/${id}/delta/schedule`;
  return useMutation({
    mutationFn: (minutes: number | null) =>
      minutes === null
        ? sendJson<Migration>("DELETE", path, undefined)
        : sendJson<Migration>("PUT", path, { every_minutes: minutes }),
    onSuccess: async (changed) => {
      await replaceData(queryClient, queryKeys.migration(id), changed);
      await queryClient.invalidateQueries({ queryKey: queryKeys.history(id) });
    },
  });
}
