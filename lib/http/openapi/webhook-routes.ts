import { get, patch, post, remove, type Route } from "@/lib/http/openapi/route";
import { createWebhook } from "@/lib/webhooks/create-webhook";
import { deleteWebhook } from "@/lib/webhooks/delete-webhook";
import { getDelivery } from "@/lib/webhooks/get-delivery";
import { getWebhook } from "@/lib/webhooks/get-webhook";
import { listDeliveries } from "@/lib/webhooks/list-deliveries";
import { listWebhooks } from "@/lib/webhooks/list-webhooks";
import { recoverWebhook } from "@/lib/webhooks/recover-webhook";
import { resendDelivery } from "@/lib/webhooks/resend-delivery";
import { rotateSecret } from "@/lib/webhooks/rotate-secret";
import { sendTest } from "@/lib/webhooks/send-test";
import { updateWebhook } from "@/lib/webhooks/update-webhook";

export const WEBHOOK_ROUTES: readonly Route[] = [
  get("/webhooks", listWebhooks),
  post("/webhooks", createWebhook, { statuses: [201], refuses: ["conflict"] }),
  get("/webhooks/{id}", getWebhook),
  patch("/webhooks/{id}", updateWebhook),
  remove("/webhooks/{id}", deleteWebhook),
  post("/webhooks/{id}/rotate_secret", rotateSecret),
  post("/webhooks/{id}/test", sendTest, { statuses: [202] }),
  post("/webhooks/{id}/recover", recoverWebhook, { statuses: [202], refuses: ["illegal_state"] }),
  get("/webhooks/{id}/deliveries", listDeliveries),
  get("/webhooks/{id}/deliveries/{event_id}", getDelivery),
  post("/webhooks/{id}/deliveries/{event_id}/resend", resendDelivery, { statuses: [202], refuses: ["illegal_state"] }),
];
