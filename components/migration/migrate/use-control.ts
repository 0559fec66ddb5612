import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { migration } from "@/lib/migration/migration-schema";

/** Pauses, resumes or cancels a run. */
export function useControl(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (action: "pause" | "resume" | "cancel") =>
      sendJson("POST", `/migration/${id}/${action}`, {}, migration),
    onSuccess: async (changed) => {
      queryClient.setQueryData(queryKeys.migration(id), changed);
      await queryClient.invalidateQueries({ queryKey: queryKeys.migrations() });
    },
    onError: () => queryClient.invalidateQueries({ queryKey: queryKeys.migration(id), exact: true }),
  });
}
