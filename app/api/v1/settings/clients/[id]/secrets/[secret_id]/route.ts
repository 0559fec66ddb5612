import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { endClientSecret } from "@/lib/oauth/clients/client-secrets";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("DELETE, OPTIONS");

interface Target {
  params: Promise<{ id: string; secret_id: string }>;
}

export function DELETE(request: Request, { params }: Target): Promise<Response> {
  return handle(request, endClientSecret, () => params);
}

export { refuse as GET, refuse as POST, refuse as PUT, refuse as PATCH, options as OPTIONS };
