import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import { inviteMember } from "@/lib/sessions/members/invite-member";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("POST, OPTIONS");

interface Target {
  params: Promise<{ user_id: string }>;
}

export function POST(request: Request, { params }: Target): Promise<Response> {
  return handle(request, inviteMember, async () => readJsonWith(request, await params));
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
