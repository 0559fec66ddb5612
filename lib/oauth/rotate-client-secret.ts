import { z } from "zod";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/id-input";
import { oauthClientWithSecret } from "@/lib/oauth/client-schema";
import { addClientSecret } from "@/lib/oauth/client-secret";
import { findClientView, noSuchClient } from "@/lib/oauth/client-view";
import { lockClient } from "@/lib/oauth/lock-client";
import { defineOperation } from "@/lib/operation";

/** Every one is compared at each request of a token. */
const MOST_SECRETS = 5;

const MAXIMUM_HOURS = 7 * 24;
const OVERLAP_FAULT = `The overlap is a whole number of hours from 0 to ${MAXIMUM_HOURS}.`;

/** A secret that ends sooner is not prolonged. The column rounds to milliseconds, upwards as well: cut off first, "at once" is not a moment ahead. */
const LIMIT_OTHERS = `
  UPDATE oauth_client_secrets SET expires_at = date_trunc('milliseconds', now()) + $2 * interval '1 hour'
  WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now() + $2 * interval '1 hour')`;

const COUNT_LIVE = "SELECT count(*)::int AS live FROM oauth_client_secrets WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now())";

export const rotateClientSecret = defineOperation({
  name: "rotate_api_client_secret",
  summary: "Make a new secret for an API client. The current ones go on working for `overlap_hours`; access tokens are not touched.",
  scopes: [],
  people: "admins",
  input: z.strictObject({
    id: pathId("API client"),
    overlap_hours: z.int(OVERLAP_FAULT).min(0, OVERLAP_FAULT).max(MAXIMUM_HOURS, OVERLAP_FAULT).default(24),
  }),
  output: oauthClientWithSecret,
  async run({ organizationId, userId, address }, { id, overlap_hours }) {
    const client_secret = await transaction(async (client) => {
      if (!(await lockClient(client, organizationId, id))) throw noSuchClient();
      await client.query(LIMIT_OTHERS, [id, overlap_hours]);
      const { rows } = await client.query<{ live: number }>(COUNT_LIVE, [id]);
      if ((rows[0]?.live ?? 0) >= MOST_SECRETS) throw tooManySecrets();
      await recordAudit(client, { organizationId, action: "client.secret_rotated", address, userId, clientId: id, details: { overlap_hours } });
      return addClientSecret(client, id);
    });
    return { ...(await findClientView(organizationId, id)), client_secret };
  },
});

function tooManySecrets(): AppError {
  return new AppError("conflict", `${MOST_SECRETS} secrets of this client still work. End an old one, or wait until one has ended, then rotate.`);
}
