import { allowOnly } from "@/lib/http/allowed-methods";
import { readJson } from "@/lib/http/body";
import { handle } from "@/lib/http/handle";
import { createWebhook } from "@/lib/webhooks/create-webhook";
import { listWebhooks } from "@/lib/webhooks/list-webhooks";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, POST, OPTIONS");

export function GET(request: Request): Promise<Response> {
  return handle(request, listWebhooks, () => ({}));
}

export function POST(request: Request): Promise<Response> {
  return handle(request, createWebhook, () => readJson(request), 201);
}

export { refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
