import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { endMemberSessions } from "@/lib/sessions/members/change-member";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("POST, OPTIONS");

interface Target {
  params: Promise<{ user_id: string }>;
}

export function POST(request: Request, { params }: Target): Promise<Response> {
  return handle(request, endMemberSessions, () => params);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
