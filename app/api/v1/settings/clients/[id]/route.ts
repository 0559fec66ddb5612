import { allowOnly } from "@/lib/http/allowed-methods";
import { readJsonWith } from "@/lib/http/body";
import { handle } from "@/lib/http/handle";
import { getClient } from "@/lib/oauth/get-client";
import { revokeClient } from "@/lib/oauth/revoke-client";
import { updateClient } from "@/lib/oauth/update-client";

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
