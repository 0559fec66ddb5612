import { allowOnly } from "@/lib/http/allowed-methods";
import { readJsonWith } from "@/lib/http/body";
import { handle } from "@/lib/http/handle";
import { deleteWebhook } from "@/lib/webhooks/delete-webhook";
import { getWebhook } from "@/lib/webhooks/get-webhook";
import { updateWebhook } from "@/lib/webhooks/update-webhook";

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
