import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { revokeGrant } from "@/lib/oauth/clients/grants";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("DELETE, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function DELETE(request: Request, { params }: Target): Promise<Response> {
  return handle(request, revokeGrant, () => params);
}

export { refuse as GET, refuse as POST, refuse as PUT, refuse as PATCH, options as OPTIONS };
