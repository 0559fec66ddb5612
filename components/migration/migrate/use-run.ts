import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { sendJson } from "@/components/api/request";
import { migration } from "@/lib/migration/migration-schema";

/** Starts the migration, or runs it again. A repeated run only imports what has changed in Salesforce since. */
export function useRun(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => sendJson("POST", "/migration/run", { migration_id: id }, migration),
    onSuccess: async (started) => {
      queryClient.setQueryData(queryKeys.migration(id), started);
      queryClient.removeQueries({ queryKey: queryKeys.issues(id) });
      await queryClient.invalidateQueries({ queryKey: queryKeys.migrations() });
    },
    onError: () => queryClient.invalidateQueries({ queryKey: queryKeys.migration(id), exact: true }),
  });
}
