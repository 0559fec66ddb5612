import { allowOnly } from "@/lib/http/allowed-methods";
import { readJson } from "@/lib/http/body";
import { handle } from "@/lib/http/handle";
import { createClient } from "@/lib/oauth/create-client";
import { listClients } from "@/lib/oauth/list-clients";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, POST, OPTIONS");

export function GET(request: Request): Promise<Response> {
  return handle(request, listClients, () => ({}));
}

export function POST(request: Request): Promise<Response> {
  return handle(request, createClient, () => readJson(request), 201);
}

export { refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
