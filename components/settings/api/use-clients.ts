import { type QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { type OauthClient, oauthClient } from "@/lib/oauth/clients/client-schema";

const clientPage = pageOf(oauthClient);

/** Where the API keeps one client. */
export function clientPath(id: string): string {
  return `/settings/clients/${encodeURIComponent(id)}`;
}

/** The organization's API clients, newest first, page after page. */
export function useClients() {
  return useInfiniteQuery({
    queryKey: queryKeys.apiClients(),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson(`/settings/clients${pageParam && `?cursor=${encodeURIComponent(pageParam)}`}`, clientPage, signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

/** One API client as it is now. */
export function clientQuery(id: string) {
  return {
    queryKey: queryKeys.apiClient(id),
    queryFn: ({ signal }: { signal: AbortSignal }) => getJson(clientPath(id), oauthClient, signal),
  };
}

export function useClient(id: string) {
  return useQuery(clientQuery(id));
}

/** Shows a changed client at once, and has the lists asked for again. */
export function keepClient(queries: QueryClient, client: OauthClient): void {
  queries.setQueryData(queryKeys.apiClient(client.id), client);
  void queries.invalidateQueries({ queryKey: queryKeys.apiClients() });
}
