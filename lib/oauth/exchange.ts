import { authenticateClient } from "@/lib/oauth/authenticate-client";
import { checkClientRequest } from "@/lib/oauth/check-client-request";
import { checkGrantType } from "@/lib/oauth/checks/token-request/check-grant-type";
import type { IssuedToken } from "@/lib/oauth/issue-token";
import { redeemCode } from "@/lib/oauth/redeem-code";
import type { TokenRequest } from "@/lib/oauth/token-request";

/** Answers a request to the token endpoint (RFC 6749 §3.2 and §4.1.3). Throws an OAuthError. */
export async function exchange(request: TokenRequest): Promise<IssuedToken> {
  checkClientRequest(request);
  const clientId = await authenticateClient(request);
  checkGrantType(request);
  return redeemCode({ clientId, parameters: request.body, address: request.address });
}
