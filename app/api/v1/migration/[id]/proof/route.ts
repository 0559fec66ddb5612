import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { getProof, proveMigration } from "@/lib/migration/proof/prove-migration";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, POST, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function GET(request: Request, { params }: Target): Promise<Response> {
  return handle(request, getProof, async () => ({ migration_id: (await params).id }));
}

export function POST(request: Request, { params }: Target): Promise<Response> {
  return handle(request, proveMigration, async () => ({ migration_id: (await params).id }), 202);
}

export { refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
