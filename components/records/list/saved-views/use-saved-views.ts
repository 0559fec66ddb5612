import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { queryKeys, replaceData } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { SavedView, SavedViews } from "@/lib/settings/views/view-schema";

/** The views of a kind of records that the reader has saved, and those that others share. */
export function useSavedViews(resource: ResourceName) {
  return useQuery(savedViewsOf(resource));
}

function savedViewsOf(resource: ResourceName) {
  return {
    queryKey: queryKeys.savedViews(resource),
    queryFn: () => getJson<SavedViews>(`/settings/views?resource=${resource}`),
  };
}

/** Changes the reader's own views, as they are by now: another tab may have changed them. */
export function useChangeViews(resource: ResourceName) {
  const queries = useQueryClient();
  return useMutation({
    // One after the other: each changes what the one before it has left.
    scope: { id: `saved views of ${resource}` },
    mutationFn: async (change: (own: SavedView[]) => SavedView[]) => {
      const { own } = await queries.fetchQuery({ ...savedViewsOf(resource), staleTime: 0 });
      return sendJson<SavedViews>("PUT", "/settings/views", { resource, views: change(own) });
    },
    onSuccess: (views) => replaceData(queries, queryKeys.savedViews(resource), views),
  });
}
