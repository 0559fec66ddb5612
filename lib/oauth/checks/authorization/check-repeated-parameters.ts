import type { AuthorizationCheck } from "@/lib/oauth/checks/authorization/authorization-check";
import { refuseRepeated } from "@/lib/oauth/checks/check-repeated-parameters";

const SINGLE = ["response_type", "response_mode", "scope", "state", "code_challenge", "code_challenge_method"];

/** RFC 6749 §3.1. */
export const checkRepeatedParameters: AuthorizationCheck = (parameters) => refuseRepeated(parameters, SINGLE);
