import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { createWebhook } from "@/lib/webhooks/endpoints/create-webhook";
import { listWebhooks } from "@/lib/webhooks/endpoints/read-webhooks";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, POST, OPTIONS");

export function GET(request: Request): Promise<Response> {
  return handle(request, listWebhooks, () => ({}));
}

export function POST(request: Request): Promise<Response> {
  return handle(request, createWebhook, () => readJson(request), 201);
}

export { refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
