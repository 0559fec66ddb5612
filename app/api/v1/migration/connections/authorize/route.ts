import { allowOnly } from "@/lib/http/allowed-methods";
import { readJson } from "@/lib/http/body";
import { handle } from "@/lib/http/handle";
import { authorizeConnection } from "@/lib/migration/authorize-connection";

export const dynamic = "force-dynamic";

const { refuse, options } = allowOnly("POST, OPTIONS");

export function POST(request: Request): Promise<Response> {
  return handle(request, authorizeConnection, () => readJson(request), 200);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
