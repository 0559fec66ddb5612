import { queryKeys } from "@/components/api/query-keys";
import { SHORT_PAGE, useList } from "@/components/api/use-list";
import { refetchEvery } from "@/components/settings/webhooks/deliveries/refetch-every";
import { webhookPath } from "@/components/settings/webhooks/use-webhooks";
import type { WebhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";

/**
 * The deliveries of a webhook, newest first, read again while one of them is pending. `query` narrows them:
 * "state=failed", or empty.
 */
export function useDeliveries(webhookId: string, query: string, isOn: boolean) {
  return useList<WebhookDelivery>({
    queryKey: queryKeys.deliveries(webhookId, query),
    path: `${webhookPath(webhookId)}/deliveries?${query}${query && "&"}limit=${SHORT_PAGE}`,
    keepsPrevious: true,
    refetchEvery: (rows) => refetchEvery(rows, isOn),
  });
}
