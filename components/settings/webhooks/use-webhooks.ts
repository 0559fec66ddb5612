import { type QueryClient, useQuery } from "@tanstack/react-query";

import { queryKeys, replaceData } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { useList } from "@/components/api/use-list";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** How often a webhook is read again while deliveries wait or fail. */
const REFETCH_MS = 5000;

/** The path of one webhook in the API. */
export function webhookPath(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

/** The organization's webhooks, newest first. */
export function useWebhooks() {
  return useList<Webhook>({ queryKey: queryKeys.webhooks(), path: "/webhooks" });
}

/** Reads one webhook. */
export function webhookQuery(id: string) {
  return {
    queryKey: queryKeys.webhook(id),
    queryFn: ({ signal }: { signal: AbortSignal }) => getJson<Webhook>(webhookPath(id), signal),
  };
}

/** One webhook, read again while its health can change by itself. */
export function useWebhook(id: string) {
  return useQuery({
    ...webhookQuery(id),
    refetchInterval: ({ state: { data } }) =>
      data?.active && (data.pending_deliveries > 0 || data.failing_since) ? REFETCH_MS : false,
  });
}

/** Shows a changed webhook at once, and has the lists read again. */
export async function cacheWebhook(queries: QueryClient, changed: Webhook & { secret?: string | null }): Promise<void> {
  // A secret is shown once, and not kept.
  const { secret: _, ...webhook } = changed;
  await replaceData(queries, queryKeys.webhook(webhook.id), webhook);
  void queries.invalidateQueries({ queryKey: queryKeys.webhooks() });
}

/** Has a webhook read again, with all of its deliveries that are shown. */
export function refreshWebhook(queries: QueryClient, id: string): void {
  void queries.invalidateQueries({ queryKey: queryKeys.webhook(id) });
}
