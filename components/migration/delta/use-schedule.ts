import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { migration } from "@/lib/migration/migration-schema";

/** Schedules deltas every so many minutes; null stops the schedule. */
export function useSchedule(id: string) {
  const queryClient = useQueryClient();
  const path = `/migration/${id}/delta/schedule`;
  return useMutation({
    mutationFn: (minutes: number | null) =>
      minutes === null
        ? sendJson("DELETE", path, undefined, migration)
        : sendJson("PUT", path, { every_minutes: minutes }, migration),
    onSuccess: async (changed) => {
      queryClient.setQueryData(queryKeys.migration(id), changed);
      await queryClient.invalidateQueries({ queryKey: queryKeys.history(id) });
    },
  });
}
