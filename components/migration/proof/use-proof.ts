import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import type { Proof } from "@/lib/migration/proof/proof-schema";

const POLL_MS = 1000;

/** The latest proof; null if none was made. Polled every second while it is made. */
export function useProof(id: string) {
  return useQuery({
    queryKey: queryKeys.proof(id),
    queryFn: ({ signal }) =>
      getJson<Proof>(`/migration/${id}/proof`, signal).catch((error: unknown) => {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }),
    refetchInterval: (query) => (query.state.data?.status === "pending" ? POLL_MS : false),
    staleTime: 0,
  });
}

/** Requests a proof. */
export function useProve(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => sendJson<Proof>("POST", `/migration/${id}/proof`, {}),
    onSuccess: (requested) => queryClient.setQueryData(queryKeys.proof(id), requested),
  });
}
