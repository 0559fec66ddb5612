import { handleClientRequest, clientOptions, refuseMethod } from "@/app/oauth/client-endpoint";
import { exchangeCode } from "@/lib/oauth/token/redeem-code";

/** The token endpoint (RFC 6749 §3.2). */
export function POST(request: Request): Promise<Response> {
  return handleClientRequest(request, exchangeCode);
}

export {
  refuseMethod as GET,
  refuseMethod as PUT,
  refuseMethod as PATCH,
  refuseMethod as DELETE,
  clientOptions as OPTIONS,
};
