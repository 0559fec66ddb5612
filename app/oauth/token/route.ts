import { handleClientRequest, clientOptions } from "@/app/oauth/client-endpoint";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { exchangeCode } from "@/lib/oauth/token/redeem-code";

const { refuse } = allowOnly("POST, OPTIONS");

/** The token endpoint (RFC 6749 §3.2). */
export function POST(request: Request): Promise<Response> {
  return handleClientRequest(request, exchangeCode);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, clientOptions as OPTIONS };
