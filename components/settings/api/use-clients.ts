import { type QueryClient, useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { useList } from "@/components/api/use-list";
import { type OauthClient, oauthClient } from "@/lib/oauth/clients/client-schema";

/** The path of one client in the API. */
export function clientPath(id: string): string {
  return `/settings/clients/${encodeURIComponent(id)}`;
}

/** The organization's API clients, newest first. */
export function useClients() {
  return useList({ queryKey: queryKeys.apiClients(), path: "/settings/clients", item: oauthClient });
}

/** Reads one API client. */
export function clientQuery(id: string) {
  return {
    queryKey: queryKeys.apiClient(id),
    queryFn: ({ signal }: { signal: AbortSignal }) => getJson(clientPath(id), oauthClient, signal),
  };
}

export function useClient(id: string) {
  return useQuery(clientQuery(id));
}

/** Shows a changed client at once, and has the lists read again. */
export function cacheClient(queries: QueryClient, client: OauthClient): void {
  queries.setQueryData(queryKeys.apiClient(client.id), client);
  void queries.invalidateQueries({ queryKey: queryKeys.apiClients() });
}
