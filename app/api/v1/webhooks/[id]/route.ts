import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import { deleteWebhook } from "@/lib/webhooks/endpoints/delete-webhook";
import { getWebhook } from "@/lib/webhooks/endpoints/read-webhooks";
import { updateWebhook } from "@/lib/webhooks/endpoints/update-webhook";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, PATCH, DELETE, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function GET(request: Request, { params }: Target): Promise<Response> {
  return handle(request, getWebhook, () => params);
}

export function PATCH(request: Request, { params }: Target): Promise<Response> {
  return handle(request, updateWebhook, async () => readJsonWith(request, await params));
}

export function DELETE(request: Request, { params }: Target): Promise<Response> {
  return handle(request, deleteWebhook, () => params);
}

export { refuse as POST, refuse as PUT, options as OPTIONS };
