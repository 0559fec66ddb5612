import { z } from "zod";

import { prisma, transaction } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { idOrNull, newId } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { oauthClientWithSecret, oauthClient } from "@/lib/oauth/clients/client-schema";
import { findClientView, lockClient } from "@/lib/oauth/clients/read-clients";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { randomSecret, sha256 } from "@/lib/security/crypto";

/** Adds a secret to a client and returns it, the only time it can be read: only its digest is stored. */
export async function addClientSecret(clientRowId: string): Promise<string> {
  const secret = `crm_secret_${randomSecret()}`;
  await prisma().oauth_client_secrets.create({
    data: { id: newId(), client_id: clientRowId, secret_hash: sha256(secret), created_at: new Date() },
  });
  return secret;
}

/** The token endpoint compares all of them with each request. */
const MAX_LIVE_SECRETS = 5;

const MAX_OVERLAP_HOURS = 7 * 24;

const OVERLAP_FAULT = `The overlap is a whole number of hours from 0 to ${MAX_OVERLAP_HOURS}.`;

/**
 * A secret that ends sooner is not prolonged. The column rounds to milliseconds, also upwards; date_trunc keeps "at
 * once" from lying a moment ahead.
 */
const EXPIRE_OTHERS = `
  UPDATE oauth_client_secrets SET expires_at = date_trunc('milliseconds', now()) + $2 * interval '1 hour'
  WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now() + $2 * interval '1 hour')`;

/** A client keeps no more secrets than can work, however often it is rotated: the token endpoint reads all of them. */
const DELETE_EXPIRED = "DELETE FROM oauth_client_secrets WHERE client_id = $1 AND expires_at <= now()";

const COUNT_LIVE = "SELECT count(*)::int AS live FROM oauth_client_secrets WHERE client_id = $1";

export const rotateClientSecret = defineOperation({
  name: "rotate_api_client_secret",
  summary:
    "Make a new secret for an API client. The current ones go on working for `overlap_hours`; access tokens are " +
    "not touched.",
  scopes: [],
  people: "admins",
  stores: true,
  conditional: true,
  input: z.strictObject({
    id: pathId("API client"),
    overlap_hours: z.int(OVERLAP_FAULT).min(0, OVERLAP_FAULT).max(MAX_OVERLAP_HOURS, OVERLAP_FAULT).default(24),
  }),
  output: oauthClientWithSecret,
  async run(context, { id, overlap_hours }) {
    const { organizationId } = context;
    return transaction(async (client) => {
      await lockClient(client, context, id);
      await client.query(EXPIRE_OTHERS, [id, overlap_hours]);
      await client.query(DELETE_EXPIRED, [id]);
      const { rows } = await client.query<{ live: number }>(COUNT_LIVE, [id]);
      if ((rows[0]?.live ?? 0) >= MAX_LIVE_SECRETS) throw tooManySecrets();
      await recordAudit(client, context, "client.secret_rotated", { clientId: id, details: { overlap_hours } });
      const client_secret = await addClientSecret(id);
      return { ...(await findClientView(organizationId, id, client)), client_secret };
    });
  },
});

function tooManySecrets(): AppError {
  return new AppError(
    "conflict",
    `${MAX_LIVE_SECRETS} secrets of this client still work. End an old one, or wait until one has ended, then rotate.`,
  );
}

/**
 * Only a secret that has an end already: the newest is the one that the client should use. date_trunc, since the column
 * would round now() up.
 */
const END_SECRET = `
  UPDATE oauth_client_secrets SET expires_at = date_trunc('milliseconds', now())
  WHERE client_id = $1 AND id = $2 AND expires_at > now()`;

export const endClientSecret = defineOperation({
  name: "end_api_client_secret",
  summary: "End the overlap of a rotation now: the old secret stops working at once.",
  scopes: [],
  people: "admins",
  conditional: true,
  input: z.strictObject({ id: pathId("API client"), secret_id: pathId("secret") }),
  output: oauthClient,
  async run(context, { id, secret_id }) {
    const { organizationId } = context;
    return transaction(async (client) => {
      await lockClient(client, context, id);
      const ended = await client.query(END_SECRET, [id, idOrNull(secret_id)]);
      if (!ended.rowCount)
        throw new AppError("not_found", "This client has no old secret with this id that still works.");
      await recordAudit(client, context, "client.secret_ended", { clientId: id });
      return findClientView(organizationId, id, client);
    });
  },
});
