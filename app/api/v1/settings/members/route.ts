import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { addMember } from "@/lib/sessions/members/add-member";
import { listMembers } from "@/lib/sessions/members/list-members";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, POST, OPTIONS");

export function GET(request: Request): Promise<Response> {
  return handle(request, listMembers, () => ({}));
}

export function POST(request: Request): Promise<Response> {
  return handle(request, addMember, () => readJson(request), 201);
}

export { refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
