import { createCipheriv, hkdfSync, pbkdf2Sync, randomBytes } from "node:crypto";

import { sessionSecret } from "@/lib/sessions/browser-sessions/cookies";

/** The key that next-auth derives for a cookie. */
function keyOf(salt: string): Buffer {
  const purpose = `NextAuth.js Generated Encryption Key${salt ? ` (${salt})` : ""}`;
  return Buffer.from(hkdfSync("sha256", sessionSecret(), salt, purpose, 32));
}

/** A token that is right but for its algorithm, which takes 10,000 rounds of hashing to decrypt (RFC 7518 §4.8). */
export function slowToken(payload: object, salt = ""): string {
  const alg = "PBES2-HS512+A256KW";
  const [p2s, contentKey, iv] = [randomBytes(16), randomBytes(32), randomBytes(12)];
  const header = { alg, enc: "A256GCM", p2c: 10_000, p2s: p2s.toString("base64url") };
  const start = Buffer.from(JSON.stringify(header)).toString("base64url");
  const wrappingKey = pbkdf2Sync(keyOf(salt), Buffer.concat([Buffer.from(`${alg}\0`), p2s]), 10_000, 32, "sha512");
  const wrap = createCipheriv("id-aes256-wrap", wrappingKey, Buffer.alloc(8, 0xa6));
  const encryptedKey = Buffer.concat([wrap.update(contentKey), wrap.final()]);
  const cipher = createCipheriv("aes-256-gcm", contentKey, iv).setAAD(Buffer.from(start));
  const text = Buffer.concat([cipher.update(JSON.stringify(payload)), cipher.final()]);
  return [start, ...[encryptedKey, iv, text, cipher.getAuthTag()].map((part) => part.toString("base64url"))].join(".");
}
