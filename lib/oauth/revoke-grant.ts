import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { pathId } from "@/lib/id-input";
import { defineOperation } from "@/lib/operation";

/** Codes and tokens that rest on it go with it. */
const DELETE = "DELETE FROM oauth_grants WHERE organization_id = $1 AND user_id = $2 AND id = $3 RETURNING client_id";

export const revokeGrant = defineOperation({
  name: "revoke_grant",
  summary: "Take back what you have allowed an API client: with the next request none of its access tokens in your name works.",
  scopes: [],
  people: "members",
  input: z.strictObject({ id: pathId("grant") }),
  output: z.object({ id: z.uuidv7(), revoked: z.literal(true) }),
  run({ organizationId, userId, address }, { id }) {
    return transaction(async (client) => {
      const { rows } = isId(id) ? await client.query<{ client_id: string }>(DELETE, [organizationId, userId, id]) : { rows: [] };
      const clientId = rows[0]?.client_id;
      if (!clientId) throw new AppError("not_found", "You have allowed nothing with this id, or have taken it back already.");
      await recordAudit(client, { organizationId, action: "grant.revoked", address, userId, clientId });
      return { id, revoked: true as const };
    });
  },
});
