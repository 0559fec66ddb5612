import { createHmac } from "node:crypto";

import { deriveKey, sameDigest } from "@/lib/crypto";

/** Proves that a consent form was made for this sign-in and this request: another site cannot know it. */
export function consentToken(sessionId: string, requestId: string): string {
  return createHmac("sha256", deriveKey("consent")).update(`${sessionId}.${requestId}`).digest("base64url");
}

export function isConsentToken(token: string, sessionId: string, requestId: string): boolean {
  return sameDigest(Buffer.from(token), Buffer.from(consentToken(sessionId, requestId)));
}
