import { handleClientRequest, clientOptions } from "@/app/oauth/client-endpoint";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { revokeAccessToken } from "@/lib/oauth/token/revoke-access-token";

const { refuse } = allowOnly("POST, OPTIONS");

/** The revocation endpoint (RFC 7009 §2). */
export function POST(request: Request): Promise<Response> {
  return handleClientRequest(request, revokeAccessToken);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, clientOptions as OPTIONS };
