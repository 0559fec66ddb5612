import { useMutation, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";

import { sendJson } from "@/components/api/request";
import { refreshWebhook, webhookPath } from "@/components/settings/webhooks/use-webhooks";

const sent = z.object({ event_id: z.string() });

/** Sends a test event. The answer has the event's id, which leads to its delivery. */
export function useSendTest(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => sendJson("POST", `${webhookPath(id)}/test`, {}, sent),
    onSuccess: () => refreshWebhook(queries, id),
  });
}
