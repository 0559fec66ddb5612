import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { endOwnSession } from "@/lib/sessions/browser-sessions/own-sessions";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("DELETE, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function DELETE(request: Request, { params }: Target): Promise<Response> {
  return handle(request, endOwnSession, () => params);
}

export { refuse as GET, refuse as POST, refuse as PUT, refuse as PATCH, options as OPTIONS };
