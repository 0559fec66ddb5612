import { checkContentType } from "@/lib/oauth/checks/token-request/check-content-type";
import { checkOneAuthentication } from "@/lib/oauth/checks/token-request/check-one-authentication";
import { checkQuery } from "@/lib/oauth/checks/token-request/check-query";
import { checkRepeatedParameters } from "@/lib/oauth/checks/token-request/check-repeated-parameters";
import type { TokenRequestCheck } from "@/lib/oauth/checks/token-request/token-request-check";
import type { TokenRequest } from "@/lib/oauth/token-request";

/** Applied in this order before the client is asked who it is. */
const CHECKS: readonly TokenRequestCheck[] = [checkContentType, checkQuery, checkRepeatedParameters, checkOneAuthentication];

/** Checks the form of a request by which a client, and no browser, calls the token or the revocation endpoint. Throws an OAuthError. */
export function checkClientRequest(request: TokenRequest): void {
  for (const check of CHECKS) check(request);
}
