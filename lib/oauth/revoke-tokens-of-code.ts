import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import type { StoredCode } from "@/lib/oauth/find-code";

/** Ends whatever a code had issued, when the code turns out to be known to two (RFC 6749 §4.1.2). */
export function revokeTokensOfCode(code: StoredCode, address: string): Promise<void> {
  return transaction(async (client) => {
    const { rowCount } = await client.query(
      "UPDATE oauth_tokens SET revoked_at = now() WHERE code_id = $1 AND revoked_at IS NULL AND expires_at > now()",
      [code.id],
    );
    const { organization_id: organizationId, user_id: userId, client_id: clientId } = code;
    await recordAudit(client, { organizationId, action: "code.replayed", address, userId, clientId, details: { tokens_stopped: rowCount } });
  });
}
