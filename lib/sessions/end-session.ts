import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { acrossOrganizations } from "@/lib/organization-scope";

interface Ended {
  organization_id: string;
  user_id: string;
}

const END = "DELETE FROM sessions WHERE id = $1 RETURNING organization_id, user_id";

/** Ends a session: from the next request on, every copy of its cookie is worth nothing. `address` is the network address that asks. */
export function endSession(id: string, address: string): Promise<void> {
  return transaction(async (client) => {
    const { rows } = await acrossOrganizations(() => client.query<Ended>(END, [id]));
    const [ended] = rows;
    if (ended) await recordAudit(client, { organizationId: ended.organization_id, action: "sign_out", address, userId: ended.user_id });
  });
}
