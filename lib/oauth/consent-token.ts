import { createHmac } from "node:crypto";

import { deriveKey, deriveKeys, sameDigest } from "@/lib/crypto";

const PURPOSE = "consent";

/** Proves that a consent form was made for this sign-in and this request: another site cannot know it. */
export function consentToken(sessionId: string, requestId: string): string {
  return tokenUnder(deriveKey(PURPOSE), sessionId, requestId);
}

export function isConsentToken(token: string, sessionId: string, requestId: string): boolean {
  return deriveKeys(PURPOSE).some((key) => sameDigest(Buffer.from(token), Buffer.from(tokenUnder(key, sessionId, requestId))));
}

function tokenUnder(key: Buffer, sessionId: string, requestId: string): string {
  return createHmac("sha256", key).update(`${sessionId}.${requestId}`).digest("base64url");
}
