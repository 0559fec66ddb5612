import { useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import type { KeptRecord } from "@/lib/migration/undo/undo-schema";
import type { UndoImpact } from "@/lib/migration/undo/undo-schema";

/** What an undo would do now; asked for anew whenever the question is opened. */
export function useUndoImpact(id: string) {
  return useQuery({
    queryKey: queryKeys.undoImpact(id),
    queryFn: ({ signal }) => getJson<UndoImpact>(`/migration/${id}/undo/impact`, signal),
    // It reads whole tables: whoever wants it again asks again. Another read would also take a refusal off the page,
    // and with it the question that is asked without numbers.
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: 0,
    gcTime: 0,
  });
}

/** The records that the last undo left as they are. */
export function useKept(id: string) {
  return useList<KeptRecord>({
    queryKey: queryKeys.undoKept(id),
    path: `/migration/${id}/undo/kept?limit=${SHORT_PAGE}`,
  });
}
