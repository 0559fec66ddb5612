import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import { getClient } from "@/lib/oauth/clients/read-clients";
import { revokeClient } from "@/lib/oauth/clients/revoke-client";
import { updateClient } from "@/lib/oauth/clients/update-client";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, PATCH, DELETE, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function GET(request: Request, { params }: Target): Promise<Response> {
  return handle(request, getClient, () => params);
}

export function PATCH(request: Request, { params }: Target): Promise<Response> {
  return handle(request, updateClient, async () => readJsonWith(request, await params));
}

export function DELETE(request: Request, { params }: Target): Promise<Response> {
  return handle(request, revokeClient, () => params);
}

export { refuse as POST, refuse as PUT, options as OPTIONS };
