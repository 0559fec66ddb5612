import { allowOnly } from "@/lib/http/allowed-methods";
import { handle } from "@/lib/http/handle";
import { disconnectOrg } from "@/lib/migration/disconnect-org";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("POST, OPTIONS");

interface Target {
  params: Promise<{ id: string }>;
}

export function POST(request: Request, { params }: Target): Promise<Response> {
  return handle(request, disconnectOrg, async () => ({ connection_id: (await params).id }));
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
