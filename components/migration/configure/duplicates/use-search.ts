import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { queryKeys, replaceData } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import type { Cluster, SearchSummaries, SearchSummary } from "@/lib/migration/duplicates/duplicates-schema";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";

const POLL_MS = 1000;

export function isSearching(search: SearchSummary | undefined): boolean {
  return search?.status === "reading_source" || search?.status === "reading_here";
}

/** The searches of the preview, polled while one of them works. */
export function useSearches(id: string) {
  return useQuery({
    queryKey: queryKeys.duplicates(id),
    queryFn: ({ signal }) => getJson<SearchSummaries>(`/migration/${id}/duplicates/summary`, signal),
    select: ({ data }) => data.filter(({ of }) => of === "preview"),
    refetchInterval: ({ state: { data } }) =>
      data?.data.some((search) => search.of === "preview" && isSearching(search)) ? POLL_MS : false,
  });
}

/** Starts a search by the rules of a draft. It is a job of the server and writes no record. */
export function useStartSearch(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ object, draft }: { object: SourceObjectName; draft: Configuration }) =>
      sendJson<SearchSummaries>("POST", `/migration/${id}/duplicates/preview`, { object, configuration: draft }),
    onSuccess: async (summaries, { object }) => {
      await replaceData(queryClient, queryKeys.duplicates(id), summaries);
      await queryClient.invalidateQueries({ queryKey: queryKeys.clusters(id, object) });
    },
  });
}

/** The clusters that a search has found. `since` is when it ended: another search has others. */
export function useClusters(id: string, object: SourceObjectName, since: string) {
  return useList<Cluster>({
    queryKey: [...queryKeys.clusters(id, object), since],
    path: `/migration/${id}/duplicates?of=preview&object=${object}&limit=${SHORT_PAGE}`,
  });
}
