import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { deleteOrganization } from "@/lib/settings/organization/delete-organization";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("POST, OPTIONS");

export function POST(request: Request): Promise<Response> {
  return handle(request, deleteOrganization, () => readJson(request));
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
