import type { TokenRequest } from "@/lib/oauth/token-request";

/** One rule for a request to the token endpoint, before anybody asks whose it is. Throws an OAuthError. */
export type TokenRequestCheck = (request: TokenRequest) => void;
