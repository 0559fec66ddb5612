import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import type { StoredCode } from "@/lib/oauth/find-code";
import { inOrganization } from "@/lib/organization-scope";
import { countAttempt, type Throttle } from "@/lib/throttle";

/** Replays that stop nothing any more are told so often per code: whoever has one could fill the log with it. */
const TOLD: Throttle = { name: "code-replay", limit: 3, windowSeconds: 15 * 60 };

const REVOKE = "UPDATE oauth_tokens SET revoked_at = now() WHERE code_id = $1 AND revoked_at IS NULL AND expires_at > now()";

/** Ends whatever a code had issued, when the code turns out to be known to two (RFC 6749 §4.1.2). */
export async function revokeTokensOfCode(code: StoredCode, address: string): Promise<void> {
  const isTold = (await countAttempt(TOLD, code.id)) > 0;
  await transaction(async (client) => {
    const { rowCount } = await inOrganization(code.organization_id, () => client.query(REVOKE, [code.id]));
    if (rowCount === 0 && isTold) return;
    const { organization_id: organizationId, user_id: userId, client_id: clientId } = code;
    await recordAudit(client, { organizationId, action: "code.replayed", address, userId, clientId, details: { tokens_stopped: rowCount } });
  });
}
