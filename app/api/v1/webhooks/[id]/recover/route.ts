import { methods } from "@/app/api/v1/methods";
import { recoverWebhook } from "@/lib/webhooks/deliveries/recover-webhook";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: recoverWebhook, body: true },
});
