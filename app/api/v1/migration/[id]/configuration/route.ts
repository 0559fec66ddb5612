import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import { getConfiguration, putConfiguration } from "@/lib/migration/configuration/configure-migration";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("GET, HEAD, PUT, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function GET(request: Request, { params }: Target): Promise<Response> {
  return handle(request, getConfiguration, async () => ({ migration_id: (await params).id }));
}

export function PUT(request: Request, { params }: Target): Promise<Response> {
  return handle(request, putConfiguration, async () => readJsonWith(request, { migration_id: (await params).id }));
}

export { refuse as POST, refuse as PATCH, refuse as DELETE, options as OPTIONS };
