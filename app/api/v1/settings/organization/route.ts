import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { getOrganization } from "@/lib/settings/organization/read-organization";
import { updateOrganization } from "@/lib/settings/organization/update-organization";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, PATCH, OPTIONS");

export function GET(request: Request): Promise<Response> {
  return handle(request, getOrganization, () => ({}));
}

export function PATCH(request: Request): Promise<Response> {
  return handle(request, updateOrganization, () => readJson(request));
}

export { refuse as POST, refuse as PUT, refuse as DELETE, options as OPTIONS };
