import { useMutation, useQueryClient } from "@tanstack/react-query";

import { queryKeys, replaceData } from "@/components/api/query-keys";
import { restoreRecord } from "@/components/records/deleted/restore-record";
import { recordsChanged } from "@/components/records/records-changed";
import type { ResourceName } from "@/lib/records/schema/resources";

/** Restores a deleted record, with all that went with it. */
export function useRestore(resource: ResourceName, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => restoreRecord(resource, id),
    onSuccess: (restored) => replaceData(queries, queryKeys.record(resource, id), restored),
    // Also after a refusal: somebody else may have restored it.
    onSettled: () => void recordsChanged(queries),
  });
}
