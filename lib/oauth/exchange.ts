import { authenticateClient } from "@/lib/oauth/authenticate-client";
import { checkContentType } from "@/lib/oauth/checks/token-request/check-content-type";
import { checkGrantType } from "@/lib/oauth/checks/token-request/check-grant-type";
import { checkOneAuthentication } from "@/lib/oauth/checks/token-request/check-one-authentication";
import { checkQuery } from "@/lib/oauth/checks/token-request/check-query";
import { checkRepeatedParameters } from "@/lib/oauth/checks/token-request/check-repeated-parameters";
import type { TokenRequestCheck } from "@/lib/oauth/checks/token-request/token-request-check";
import type { IssuedToken } from "@/lib/oauth/issue-token";
import { redeemCode } from "@/lib/oauth/redeem-code";
import type { TokenRequest } from "@/lib/oauth/token-request";

/** Applied in this order before the client is asked who it is. */
const CHECKS: readonly TokenRequestCheck[] = [checkContentType, checkQuery, checkRepeatedParameters, checkOneAuthentication];

/** Answers a request to the token endpoint (RFC 6749 §3.2 and §4.1.3). Throws an OAuthError. */
export async function exchange(request: TokenRequest): Promise<IssuedToken> {
  for (const check of CHECKS) check(request);
  const clientId = await authenticateClient(request);
  checkGrantType(request);
  return redeemCode({ clientId, parameters: request.body, address: request.address });
}
