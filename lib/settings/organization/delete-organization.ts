import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { pool, retriedTransaction } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { defineOperation } from "@/lib/operation";
import { RESOURCES } from "@/lib/records/schema/resources";
import { lockMember } from "@/lib/sessions/members/member-access";
import { provePassword, signedOutMeanwhile } from "@/lib/sessions/passwords/prove-password";
import { enqueueErasure } from "@/lib/settings/organization/enqueue-erasure";
import { type DeletionImpact, deletionImpact } from "@/lib/settings/organization/organization-schema";

/** Somebody without a password must have signed in within this time. */
const FRESH_MINUTES = 10;

const IMPACT = `
  SELECT (${RESOURCES.map((table) => `(SELECT count(*) FROM ${table} WHERE organization_id = $1)`).join(" + ")})::int
      AS records,
    (SELECT count(*)::int FROM files WHERE organization_id = $1) AS files,
    (SELECT count(*)::int FROM memberships WHERE organization_id = $1) AS members,
    (SELECT count(*)::int FROM sessions WHERE organization_id = $1 AND expires_at > now()) AS sessions,
    (SELECT count(*)::int FROM oauth_clients WHERE organization_id = $1 AND revoked_at IS NULL) AS api_clients,
    (SELECT count(*)::int FROM oauth_tokens t JOIN oauth_clients c ON c.id = t.client_id
      WHERE t.organization_id = $1 AND t.revoked_at IS NULL AND t.expires_at > now() AND c.revoked_at IS NULL
    ) AS live_tokens,
    (SELECT count(*)::int FROM webhooks WHERE organization_id = $1 AND active) AS webhooks,
    (SELECT count(*)::int FROM connections WHERE organization_id = $1 AND access_token_enc IS NOT NULL)
      AS connected_orgs,
    (SELECT CASE WHEN password_hash IS NULL THEN 'sign_in' ELSE 'password' END FROM users WHERE id = $2) AS proof`;

export const getDeletionImpact = defineOperation({
  name: "get_organization_deletion",
  summary: "Get what the deletion of the organization would end and erase.",
  scopes: [],
  people: "admins",
  input: z.strictObject({}),
  output: deletionImpact,
  async run({ organizationId, userId }) {
    const { rows } = await pool().query<DeletionImpact>(IMPACT, [organizationId, userId]);
    if (!rows[0]) throw new Error("A statement without FROM has a row.");
    return rows[0];
  },
});

/** The audit log is erased, too. Whoever runs the service keeps this. */
const RECORD_DELETION = "INSERT INTO organization_deletions (id, deleted_by) VALUES ($1, $2)";

/**
 * Nothing that lets anybody in outlives the transaction: memberships go with their sessions and links, API clients with
 * their grants, codes and tokens, and webhooks. A job erases the rest. Throws `invalid_request` with a fault at `/name`
 * or `/password`, `illegal_state` for somebody without a password who has not just signed in, and `too_many_requests`.
 */
export const deleteOrganization = defineOperation({
  name: "delete_organization",
  summary:
    "Delete the organization for good: from the next request on nobody can sign in, and no access token works. Its " +
    "data is erased.",
  scopes: [],
  people: "admins",
  input: z.strictObject({
    name: z.string().describe("The organization's name, as a confirmation."),
    password: z.string().optional().describe("The person's own. Left out by somebody who has none."),
  }),
  output: z.object({ deleted: z.literal(true) }),
  async run(context, { name, password }) {
    await assertItIsThem(context, password);
    await retriedTransaction(async (client) => {
      await lockMember(client, context, context.userId);
      await assertNamed(client, context, name);
      await endEveryAccess(client, context.organizationId);
      await client.query(RECORD_DELETION, [context.organizationId, context.userId]);
      await enqueueErasure(client, context.organizationId);
    });
    log.warn(
      { organization_id: context.organizationId, user_id: context.userId },
      "an organization was deleted by an admin of it; its data is being erased",
    );
    return { deleted: true as const };
  },
});

/** A session alone may have been stolen. */
async function assertItIsThem(context: Context, password: string | undefined): Promise<void> {
  if (password !== undefined) {
    await provePassword(context, password, () => fault("/password", "wrong_password", "This is not your password."));
    return;
  }
  const { rows } = await pool().query<{ has_password: boolean; is_fresh: boolean }>(
    `SELECT u.password_hash IS NOT NULL AS has_password,
       s.created_at > now() - interval '${FRESH_MINUTES} minutes' AS is_fresh
     FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1`,
    [context.sessionId],
  );
  if (!rows[0]) throw signedOutMeanwhile();
  if (rows[0].has_password) throw fault("/password", "required", "Enter your password.");
  if (!rows[0].is_fresh)
    throw new AppError(
      "illegal_state",
      `Sign out and sign in again, and delete the organization within ${FRESH_MINUTES} minutes of that. So nobody ` +
        "else can do it in a browser that you have left open.",
    );
}

/** Read while the admins are locked, since renaming locks them too. */
async function assertNamed(client: PoolClient, { organizationId }: Context, name: string): Promise<void> {
  const text = "SELECT name FROM organizations WHERE id = $1 AND deleted_at IS NULL";
  const { rows } = await client.query<{ name: string }>(text, [organizationId]);
  if (rows[0]?.name !== name.trim())
    throw fault("/name", "invalid_value", "This is not the organization's name. Type it as the page shows it.");
}

function fault(pointer: string, code: "wrong_password" | "required" | "invalid_value", detail: string): AppError {
  return new AppError("invalid_request", "The organization was not deleted; see `errors`.", {
    errors: [{ pointer, code, detail }],
  });
}

/** The members who belong to no other organization. The scope of this one would hide their other memberships. */
const ONLY_HERE = `
  SELECT m.user_id FROM memberships m WHERE m.organization_id = $1
    AND NOT EXISTS (SELECT FROM memberships o WHERE o.user_id = m.user_id AND o.organization_id <> $1)`;

/** First, since it waits for sign-ins that just make a member, and keeps others from it. */
const MARK_DELETED = "UPDATE organizations SET deleted_at = now() WHERE id = $1";

const END_ACCESS = [
  "DELETE FROM oauth_clients WHERE organization_id = $1",
  // Nothing finds their deliveries to send after this.
  "DELETE FROM webhooks WHERE organization_id = $1",
  "UPDATE migrations SET delta_next_at = NULL WHERE organization_id = $1",
  "DELETE FROM memberships WHERE organization_id = $1",
];

async function endEveryAccess(client: PoolClient, organizationId: string): Promise<void> {
  await client.query(MARK_DELETED, [organizationId]);
  const { rows } = await acrossOrganizations(() => client.query<{ user_id: string }>(ONLY_HERE, [organizationId]));
  const ids = rows.map(({ user_id }) => user_id);
  // Their memberships go with them. Whoever belongs to another organization stays there.
  await client.query("DELETE FROM users WHERE id = ANY ($1::uuid[])", [ids]);
  for (const text of END_ACCESS) await client.query(text, [organizationId]);
}
