import { allowOnly } from "@/lib/http/allowed-methods";
import { handle } from "@/lib/http/handle";
import { endOwnSession } from "@/lib/sessions/own-sessions";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("DELETE, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function DELETE(request: Request, { params }: Target): Promise<Response> {
  return handle(request, endOwnSession, () => params);
}

export { refuse as GET, refuse as POST, refuse as PUT, refuse as PATCH, options as OPTIONS };
