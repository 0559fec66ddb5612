import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";

import { pageOf } from "@/components/api/page-schema";
import { queryKeys } from "@/components/api/query-keys";
import { getJson } from "@/components/api/request";
import { watchEvery } from "@/components/settings/webhooks/deliveries/watch-every";
import { webhookPath } from "@/components/settings/webhooks/use-webhooks";
import { webhookDelivery } from "@/lib/webhooks/deliveries/delivery-schema";

const PAGE_SIZE = "25";
const deliveryPage = pageOf(webhookDelivery);

/**
 * The deliveries of a webhook, newest first, page after page; looked at again while one of them is pending and is sent.
 */
export function useDeliveries(webhookId: string, narrowed: string, isOn: boolean) {
  return useInfiniteQuery({
    queryKey: queryKeys.deliveries(webhookId, narrowed),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(narrowed);
      query.set("limit", PAGE_SIZE);
      if (pageParam) query.set("cursor", pageParam);
      return getJson(`${webhookPath(webhookId)}/deliveries?${query}`, deliveryPage, signal);
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => watchEvery(data?.pages.flatMap((page) => page.data) ?? [], isOn),
  });
}
