import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { getSavedViews, putSavedViews } from "@/lib/settings/views/saved-views";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, PUT, OPTIONS");

export function GET(request: Request): Promise<Response> {
  return handle(request, getSavedViews, () => ({}));
}

export function PUT(request: Request): Promise<Response> {
  return handle(request, putSavedViews, () => readJson(request));
}

export { refuse as POST, refuse as PATCH, refuse as DELETE, options as OPTIONS };
