import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { z } from "zod";

import { usePost } from "@/components/api/post-once";
import { queryKeys } from "@/components/api/query-keys";
import { forgetReconnect } from "@/components/migration/control/remembered-reconnect";
import { leaveFor } from "@/components/ui/leave/leaving";
import type { analyzeInput } from "@/lib/migration/connections/connection-schema";
import type { Migration } from "@/lib/migration/migration-schema";

/** Connects an org, starts its analysis and opens the page of the analysis. If the org refuses, nothing is stored. */
export function useAnalyze() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const post = usePost();
  return useMutation({
    mutationFn: (input: z.input<typeof analyzeInput>) => post<Migration>("/migration/analyze", input),
    onSuccess: (created) => {
      forgetReconnect();
      queryClient.setQueryData(queryKeys.migration(created.migration_id), created);
      void queryClient.invalidateQueries({ queryKey: queryKeys.migrations() });
      const path = `/migration/${created.migration_id}/analyze`;
      // The reader may have left meanwhile, and typed elsewhere.
      leaveFor(path, () => router.replace(path));
    },
  });
}
