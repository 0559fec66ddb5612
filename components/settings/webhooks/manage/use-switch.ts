import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

import { sendJson } from "@/components/api/request";
import { cacheWebhook, refreshWebhook, webhookPath } from "@/components/settings/webhooks/use-webhooks";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/**
 * Switches a webhook on or off. The page is refreshed, since its frame has a notice of webhooks that are switched off.
 */
export function useSwitch(id: string) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (active: boolean) => sendJson<Webhook>("PATCH", webhookPath(id), { active }),
    onSuccess: async (changed) => {
      await cacheWebhook(queries, changed);
      refreshWebhook(queries, id);
      router.refresh();
    },
  });
}
