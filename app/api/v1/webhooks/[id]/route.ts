import { methods } from "@/app/api/v1/methods";
import { deleteWebhook } from "@/lib/webhooks/endpoints/delete-webhook";
import { getWebhook } from "@/lib/webhooks/endpoints/read-webhooks";
import { updateWebhook } from "@/lib/webhooks/endpoints/update-webhook";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: { operation: getWebhook },
  PATCH: { operation: updateWebhook, body: true },
  DELETE: { operation: deleteWebhook },
});
