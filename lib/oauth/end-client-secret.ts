import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/id-input";
import { isId } from "@/lib/ids";
import { oauthClient } from "@/lib/oauth/client-schema";
import { findClientView, noSuchClient } from "@/lib/oauth/client-view";
import { lockClient } from "@/lib/oauth/lock-client";
import { defineOperation } from "@/lib/operation";

/** Only one that was to end anyway: the newest secret is the one that the client is meant to use. The column would round now() up. */
const END = `
  UPDATE oauth_client_secrets SET expires_at = date_trunc('milliseconds', now())
  WHERE client_id = $1 AND id = $2 AND expires_at > now()`;

export const endClientSecret = defineOperation({
  name: "end_api_client_secret",
  summary: "End the overlap of a rotation now: the old secret stops working at once.",
  scopes: [],
  people: "admins",
  input: z.strictObject({ id: pathId("API client"), secret_id: pathId("secret") }),
  output: oauthClient,
  async run({ organizationId, userId, address }, { id, secret_id }) {
    await transaction(async (client) => {
      if (!(await lockClient(client, organizationId, id))) throw noSuchClient();
      const ended = isId(secret_id) ? await client.query(END, [id, secret_id]) : null;
      if (!ended?.rowCount) throw new AppError("not_found", "This client has no old secret with this id that still works.");
      await recordAudit(client, { organizationId, action: "client.secret_ended", address, userId, clientId: id });
    });
    return findClientView(organizationId, id);
  },
});
