import { allowOnly } from "@/lib/http/allowed-methods";
import { handle } from "@/lib/http/handle";
import { getUser } from "@/lib/sessions/get-user";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return handle(request, getUser, () => params);
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
