import { refuseRepeated } from "@/lib/oauth/checks/check-repeated-parameters";
import type { TokenRequestCheck } from "@/lib/oauth/checks/token-request/token-request-check";

const SINGLE = ["grant_type", "code", "redirect_uri", "client_id", "client_secret", "code_verifier", "scope", "token", "token_type_hint"];

/** RFC 6749 §3.2. */
export const checkRepeatedParameters: TokenRequestCheck = ({ body }) => refuseRepeated(body, SINGLE);
