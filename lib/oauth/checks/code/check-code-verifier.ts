import { sameDigest, sha256 } from "@/lib/crypto";
import type { CodeCheck } from "@/lib/oauth/checks/code/code-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** The verifier hashes to the challenge of the authorization request (RFC 7636 §4.6). */
export const checkCodeVerifier: CodeCheck = ({ code, parameters }) => {
  const verifier = parameters.get("code_verifier");
  if (!verifier) throw new OAuthError("invalid_request", "code_verifier is missing.");
  const digest = sha256(verifier).toString("base64url");
  if (!VERIFIER.test(verifier) || !sameDigest(Buffer.from(digest), Buffer.from(code.code_challenge))) {
    throw new OAuthError("invalid_grant", "code_verifier does not match the code_challenge of the authorization request.");
  }
};
