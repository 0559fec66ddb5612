import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { endOtherSessions } from "@/lib/sessions/browser-sessions/own-sessions";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("POST, OPTIONS");

export function POST(request: Request): Promise<Response> {
  return handle(request, endOtherSessions, () => ({}));
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
