import { pool } from "@/lib/db";

/** From the next request on, no access token that was issued for this code opens anything. */
export async function revokeTokensOfCode(codeId: string): Promise<void> {
  await pool().query("UPDATE oauth_tokens SET revoked_at = now() WHERE code_id = $1 AND revoked_at IS NULL", [codeId]);
}
