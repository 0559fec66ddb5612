import { handleClientRequest, clientOptions, refuseMethod } from "@/app/oauth/client-endpoint";
import { revokeAccessToken } from "@/lib/oauth/token/revoke-access-token";

/** The revocation endpoint (RFC 7009 §2). */
export function POST(request: Request): Promise<Response> {
  return handleClientRequest(request, revokeAccessToken);
}

export {
  refuseMethod as GET,
  refuseMethod as PUT,
  refuseMethod as PATCH,
  refuseMethod as DELETE,
  clientOptions as OPTIONS,
};
