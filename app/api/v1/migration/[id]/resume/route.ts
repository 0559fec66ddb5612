import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { resumeMigration } from "@/lib/migration/runs/control-run";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("POST, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function POST(request: Request, { params }: Target): Promise<Response> {
  return handle(request, resumeMigration, async () => ({ migration_id: (await params).id }), 202);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
