import { type QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { webhookPage } from "@/components/settings/webhooks/webhook";
import { type Webhook, webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** While deliveries wait, or fail, a webhook's health changes by itself. */
const WATCHED_EVERY_MS = 5000;

/** Where the API keeps one webhook. */
export function webhookPath(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

/** The organization's webhooks, newest first, page after page. */
export function useWebhooks() {
  return useInfiniteQuery({
    queryKey: queryKeys.webhooks(),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      getJson(`/webhooks${pageParam && `?cursor=${encodeURIComponent(pageParam)}`}`, webhookPage, signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

/** One webhook as it is now. */
export function webhookQuery(id: string) {
  return {
    queryKey: queryKeys.webhook(id),
    queryFn: ({ signal }: { signal: AbortSignal }) => getJson(webhookPath(id), webhook, signal),
  };
}

/** One webhook, looked at again while there is something to watch. */
export function useWebhook(id: string) {
  return useQuery({
    ...webhookQuery(id),
    refetchInterval: ({ state: { data } }) =>
      data?.active && (data.pending_deliveries > 0 || data.failing_since) ? WATCHED_EVERY_MS : false,
  });
}

/** Shows a changed webhook at once, and has the lists asked for again. */
export function keepWebhook(queries: QueryClient, changed: Webhook): void {
  queries.setQueryData(queryKeys.webhook(changed.id), changed);
  void queries.invalidateQueries({ queryKey: queryKeys.webhooks() });
}

/** Has everything that shows deliveries of a webhook asked for again, and its health. */
export function refreshWebhook(queries: QueryClient, id: string): void {
  void queries.invalidateQueries({ queryKey: queryKeys.webhook(id) });
}
