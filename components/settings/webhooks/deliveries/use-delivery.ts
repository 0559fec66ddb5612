import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { queryKeys } from "@/components/api/query-keys";
import { getJson, sendJson } from "@/components/api/request";
import { refetchEvery } from "@/components/settings/webhooks/deliveries/refetch-every";
import { refreshWebhook, webhookPath } from "@/components/settings/webhooks/use-webhooks";
import type { WebhookDelivery, WebhookDeliveryDetail } from "@/lib/webhooks/deliveries/delivery-schema";

export interface DeliveryKey {
  webhookId: string;
  eventId: string;
}

function deliveryPath({ webhookId, eventId }: DeliveryKey): string {
  return `${webhookPath(webhookId)}/deliveries/${encodeURIComponent(eventId)}`;
}

/** The page of one delivery. */
export function deliveryHref({ webhookId, eventId }: DeliveryKey): string {
  return `/settings/webhooks/${webhookId}/deliveries/${eventId}`;
}

/** One delivery with its attempts, read again while it is pending. */
export function useDelivery(key: DeliveryKey, isOn: boolean) {
  return useQuery({
    queryKey: queryKeys.delivery(key.webhookId, key.eventId),
    queryFn: ({ signal }) => getJson<WebhookDeliveryDetail>(deliveryPath(key), signal),
    refetchInterval: ({ state: { data } }) => (data ? refetchEvery([data], isOn) : false),
  });
}

/** Sends a delivery again, now. */
export function useResend(key: DeliveryKey) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => sendJson<WebhookDelivery>("POST", `${deliveryPath(key)}/resend`, {}),
    onSuccess: () => refreshWebhook(queries, key.webhookId),
  });
}
