import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";

import { sendJson } from "@/components/api/request";
import { cacheWebhook, refreshWebhook, webhookPath } from "@/components/settings/webhooks/use-webhooks";
import { webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/**
 * Switches a webhook on or off. The frame of the page is asked for anew: it tells admins of what has switched itself
 * off.
 */
export function useSwitch(id: string) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (active: boolean) => sendJson("PATCH", webhookPath(id), { active }, webhook),
    onSuccess: (changed) => {
      cacheWebhook(queries, changed);
      refreshWebhook(queries, id);
      router.refresh();
    },
  });
}
