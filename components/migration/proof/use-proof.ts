import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { queryKeys, replaceData } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import type { Migration } from "@/lib/migration/migration-schema";
import type { Proof } from "@/lib/migration/proof/proof-schema";

const POLL_MS = 1000;

/** The latest proof; null if none was made. Polled every second while it is made. */
export function useProof(migration: Migration) {
  return useQuery(latestProof(migration));
}

/** Where there is none, nothing is asked: browsers report the answer 404 as an error. */
export function latestProof({ migration_id: id, has_proof: hasProof }: Pick<Migration, "migration_id" | "has_proof">) {
  return queryOptions({
    queryKey: queryKeys.proof(id),
    queryFn: ({ signal }) => getJson<Proof | null>(`/migration/${id}/proof`, signal),
    enabled: hasProof,
    ...(!hasProof && { initialData: null }),
    refetchInterval: (query) => (query.state.data?.status === "pending" ? POLL_MS : false),
    staleTime: 0,
  });
}

/** Requests a proof. */
export function useProve(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => sendJson<Proof>("POST", `/migration/${id}/proof`, {}),
    onSuccess: async (requested) => {
      await replaceData(queryClient, queryKeys.proof(id), requested);
      await replaceData<Migration>(queryClient, queryKeys.migration(id), (now) => now && { ...now, has_proof: true });
    },
  });
}
