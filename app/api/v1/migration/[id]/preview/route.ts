import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import { previewMigration } from "@/lib/migration/preview/preview-migration";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("POST, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function POST(request: Request, { params }: Target): Promise<Response> {
  return handle(request, previewMigration, async () => readJsonWith(request, { migration_id: (await params).id }));
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
