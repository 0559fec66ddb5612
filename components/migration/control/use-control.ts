import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import type { Migration } from "@/lib/migration/migration-schema";

/**
 * What can be asked of a migration without further words. `run` begins from the start; a delta reads what changed
 * since, a retry what failed.
 */
export type Control = "run" | "pause" | "resume" | "cancel" | "retry" | "delta" | "undo";

/** A run of the objects of one phase. */
interface PhaseRun {
  phase: number;
}

/** Asks something of a migration, and shows at once what has become of it. */
export function useControl(id: string, onDone?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (action: Control | PhaseRun) =>
      action === "run" || typeof action === "object"
        ? sendJson<Migration>("POST", "/migration/run", { migration_id: id, ...(action !== "run" && action) })
        : sendJson<Migration>("POST", `/migration/${id}/${action}`, {}),
    onSuccess: async (changed, action) => {
      queryClient.setQueryData(queryKeys.migration(id), changed);
      if (action !== "pause" && action !== "resume") forgetResults(queryClient, id);
      onDone?.();
      await queryClient.invalidateQueries({ queryKey: queryKeys.migrations() });
    },
    onError: () => queryClient.invalidateQueries({ queryKey: queryKeys.migration(id), exact: true }),
  });
}

/** What earlier runs left out, or left to decide, is no longer so. */
function forgetResults(queryClient: ReturnType<typeof useQueryClient>, id: string): void {
  for (const queryKey of [
    queryKeys.issues(id),
    queryKeys.conflicts(id),
    queryKeys.undoImpact(id),
    queryKeys.undoKept(id),
  ])
    queryClient.removeQueries({ queryKey });
}
