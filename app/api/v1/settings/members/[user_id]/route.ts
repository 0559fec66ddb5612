import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import { removeMember, updateMember } from "@/lib/sessions/members/change-member";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("PATCH, DELETE, OPTIONS");

interface Target {
  params: Promise<{ user_id: string }>;
}

export function PATCH(request: Request, { params }: Target): Promise<Response> {
  return handle(request, updateMember, async () => readJsonWith(request, await params));
}

export function DELETE(request: Request, { params }: Target): Promise<Response> {
  return handle(request, removeMember, () => params);
}

export { refuse as GET, refuse as POST, refuse as PUT, options as OPTIONS };
