import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { startMigration } from "@/lib/migration/runs/start-migration";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("POST, OPTIONS");

export function POST(request: Request): Promise<Response> {
  return handle(request, startMigration, () => readJson(request), 202);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
