import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { transaction } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { randomSecret, sha256 } from "@/lib/security/crypto";
import { assertAttemptAllowed, type Throttle } from "@/lib/security/throttle";
import { recordMemberChange } from "@/lib/sessions/members/change-member";
import { lockMember } from "@/lib/sessions/members/member-access";
import { type PasswordLink, passwordLink } from "@/lib/sessions/schemas";

const LIFETIME_MS = 24 * 3600 * 1000;

/** One per member: a new link replaces the former. */
const INSERT = `
  INSERT INTO password_links (organization_id, user_id, token_hash, created_by_id, created_at, expires_at)
  VALUES ($1, $2, $3, $4, now(), $5)
  ON CONFLICT (organization_id, user_id) DO UPDATE
    SET token_hash = excluded.token_hash, created_by_id = excluded.created_by_id,
      created_at = excluded.created_at, expires_at = excluded.expires_at`;

/**
 * Makes a one-time link for a member whom the transaction has locked. The token stands behind `#`, which browsers send
 * to nobody: no log, proxy or message preview sees it (RFC 3986 §3.5).
 */
export async function insertPasswordLink(
  client: PoolClient,
  { organizationId, userId }: Pick<Context, "organizationId" | "userId">,
  memberId: string,
): Promise<PasswordLink> {
  const token = randomSecret();
  const expiresAt = new Date(Date.now() + LIFETIME_MS);
  await client.query(INSERT, [organizationId, memberId, sha256(token), userId, expiresAt]);
  return { url: `${env.APP_URL}/set-password#${token}`, expires_at: expiresAt.toISOString() };
}

/**
 * Whoever sets a person's password can act as that person in every organization, so no single one of several may set
 * it.
 */
const IS_ELSEWHERE = "SELECT FROM memberships WHERE user_id = $1 AND organization_id <> $2 LIMIT 1";

/** Each link stays in the audit log. It is a way back in, so it can be made when the storage is full, too. */
const PER_ORGANIZATION: Throttle = { name: "make-password-link", limit: 100, windowSeconds: 3600 };

export const makePasswordLink = defineOperation({
  name: "make_password_link",
  summary: "Make a one-time link by which a member sets a new password. A link that was made before stops working.",
  scopes: [],
  people: "admins",
  input: z.strictObject({ user_id: pathId("member") }),
  output: passwordLink,
  async run(context, { user_id }) {
    await assertAttemptAllowed(PER_ORGANIZATION, context.organizationId, "Too many one-time links were made.");
    return transaction(async (client) => {
      const found = await lockMember(client, context, user_id);
      if (found.user_id === context.userId)
        throw refusal("Change your own password under “Your account”, where you are asked for the current one.");
      if (found.is_disabled) throw refusal("This member is disabled. Enable them first.");
      const { rowCount } = await acrossOrganizations(() =>
        client.query(IS_ELSEWHERE, [found.user_id, context.organizationId]),
      );
      if (rowCount !== 0)
        throw refusal(
          "This person is also a member of another organization here, so none of them can set their password.",
        );
      const link = await insertPasswordLink(client, context, found.user_id);
      await recordMemberChange(client, context, "password_link.created", found, { expires_at: link.expires_at });
      return link;
    });
  },
});

function refusal(detail: string): AppError {
  return new AppError("illegal_state", detail);
}
