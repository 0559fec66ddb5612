import { answerClient, clientOptions } from "@/app/oauth/answer-client";
import { allowOnly } from "@/lib/http/allowed-methods";
import { exchange } from "@/lib/oauth/exchange";

const { refuse } = allowOnly("POST, OPTIONS");

/** The token endpoint (RFC 6749 §3.2). */
export function POST(request: Request): Promise<Response> {
  return answerClient(request, exchange);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, clientOptions as OPTIONS };
