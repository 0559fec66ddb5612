import { answerClient, clientOptions } from "@/app/oauth/client-endpoint";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { exchange } from "@/lib/oauth/token/redeem-code";

const { refuse } = allowOnly("POST, OPTIONS");

/** The token endpoint (RFC 6749 §3.2). */
export function POST(request: Request): Promise<Response> {
  return answerClient(request, exchange);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, clientOptions as OPTIONS };
