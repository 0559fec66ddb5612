import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import { type Configuration, configuration } from "@/lib/migration/configuration/configuration-schema";

/** The saved choices. */
export function useConfiguration(id: string) {
  return useQuery({
    queryKey: queryKeys.configuration(id),
    queryFn: ({ signal }) => getJson(`/migration/${id}/configuration`, configuration, signal),
  });
}

/** Saves the choices. This changes no records. */
export function useSaveConfiguration(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (draft: Configuration) => sendJson("PUT", `/migration/${id}/configuration`, draft, configuration),
    onSuccess: (saved) => queryClient.setQueryData(queryKeys.configuration(id), saved),
  });
}
