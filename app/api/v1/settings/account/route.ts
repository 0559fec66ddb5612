import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { renameOneself } from "@/lib/sessions/people/rename-oneself";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("PATCH, OPTIONS");

export function PATCH(request: Request): Promise<Response> {
  return handle(request, renameOneself, () => readJson(request));
}

export { refuse as GET, refuse as POST, refuse as PUT, refuse as DELETE, options as OPTIONS };
