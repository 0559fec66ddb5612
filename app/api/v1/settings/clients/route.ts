import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { listClients } from "@/lib/oauth/clients/read-clients";
import { createClient } from "@/lib/oauth/clients/register-client";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, POST, OPTIONS");

export function GET(request: Request): Promise<Response> {
  return handle(request, listClients, () => ({}));
}

export function POST(request: Request): Promise<Response> {
  return handle(request, createClient, () => readJson(request), 201);
}

export { refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
