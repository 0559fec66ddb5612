import { type QueryClient, useQuery } from "@tanstack/react-query";

import { queryKeys, replaceData } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { useList } from "@/components/api/use-list";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

/** The path of one client in the API. */
export function clientPath(id: string): string {
  return `/settings/clients/${encodeURIComponent(id)}`;
}

/** The organization's API clients, newest first. */
export function useClients() {
  return useList<OauthClient>({ queryKey: queryKeys.apiClients(), path: "/settings/clients" });
}

/** Reads one API client. */
export function clientQuery(id: string) {
  return {
    queryKey: queryKeys.apiClient(id),
    queryFn: ({ signal }: { signal: AbortSignal }) => getJson<OauthClient>(clientPath(id), signal),
  };
}

export function useClient(id: string) {
  return useQuery(clientQuery(id));
}

/** Shows a changed client at once, and has the lists read again. */
export async function cacheClient(
  queries: QueryClient,
  changed: OauthClient & { client_secret?: string },
): Promise<void> {
  // A secret is shown once, and not kept.
  const { client_secret: _, ...client } = changed;
  await replaceData(queries, queryKeys.apiClient(client.id), client);
  void queries.invalidateQueries({ queryKey: queryKeys.apiClients() });
}
