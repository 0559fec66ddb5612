import { methods } from "@/app/api/v1/methods";
import { createWebhook } from "@/lib/webhooks/endpoints/create-webhook";
import { listWebhooks } from "@/lib/webhooks/endpoints/read-webhooks";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: { operation: listWebhooks },
  POST: { operation: createWebhook, body: true },
});
