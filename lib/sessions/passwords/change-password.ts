import { z } from "zod";

import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { AppError, type FaultCode } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { parseInput } from "@/lib/input/parse-input";
import { recordAudit } from "@/lib/security/audit";
import { assertAttemptAllowed, type Throttle } from "@/lib/security/throttle";
import type { Session } from "@/lib/sessions/browser-sessions/session-store";
import { hashPassword, normalizePassword } from "@/lib/sessions/passwords/password";
import { assertStrongPassword } from "@/lib/sessions/passwords/password-strength";
import { provePassword, signedOutMeanwhile } from "@/lib/sessions/passwords/prove-password";
import { newPassword } from "@/lib/sessions/people/person";

const input = z.strictObject({
  current_password: z.string().min(1, "Enter your current password."),
  new_password: newPassword,
});

/** Each change stays in the audit log. */
const PER_USER: Throttle = { name: "changed-passwords", limit: 20, windowSeconds: 3600 };

export interface ChangedPassword {
  /** The new id of the session. A copy of its former cookie stops working, as do all other sessions. */
  sessionId: string;
  /** How many other sessions ended. */
  sessions_ended: number;
}

/** Ends the other sessions in every organization, since a person has one password for all. */
const END_OTHER_SESSIONS = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";

/**
 * Locks in the order membership, link, user, sessions, as disabling or removing the member and the use of a one-time
 * link do.
 */
const END_LINK = `
  WITH locked AS (SELECT user_id FROM memberships WHERE organization_id = $1 AND user_id = $2 FOR SHARE)
  DELETE FROM password_links l USING locked WHERE l.organization_id = $1 AND l.user_id = locked.user_id`;

const UPDATE_PASSWORD = `
  WITH locked AS (
    SELECT user_id FROM memberships WHERE organization_id = $4 AND user_id = $1 AND disabled_at IS NULL FOR SHARE
  )
  UPDATE users SET password_hash = $3 FROM locked WHERE id = locked.user_id AND password_hash = $2`;

/**
 * Changes the password of the signed-in person, who must know the current one. Ends all of their other sessions and an
 * unused one-time link; what they have allowed apps stays. Throws `invalid_request` with a fault per field,
 * `illegal_state` for somebody without a password, and `too_many_requests`.
 */
export function changePassword(session: Session, given: unknown, address: string): Promise<ChangedPassword> {
  return inOrganization(session.organization_id, () => change(session, given, address));
}

async function change(session: Session, given: unknown, address: string): Promise<ChangedPassword> {
  const { user_id: userId, organization_id: organizationId } = session;
  const { current_password, new_password } = parseInput(
    input,
    given,
    "The password cannot be changed like this; see `errors`.",
  );
  const hash = await provePassword({ userId, organizationId, address }, current_password, wrongPassword);
  if (normalizePassword(new_password) === normalizePassword(current_password)) {
    throw fault("/new_password", "invalid_value", "This is your current password. Choose another one.");
  }
  const owner = { email: session.user_email, name: session.user_name, organization: session.organization_name };
  assertStrongPassword(new_password, owner, "/new_password");
  await assertAttemptAllowed(PER_USER, userId, "You have changed your password too often.");
  const newHash = await hashPassword(new_password);
  return transaction(async (client) => {
    await client.query(END_LINK, [organizationId, userId]);
    // Of two changes at once, the second has a current password that is no longer current.
    if ((await client.query(UPDATE_PASSWORD, [userId, hash, newHash, organizationId])).rowCount === 0)
      throw wrongPassword();
    const sessionId = newId();
    const renewed = await client.query("UPDATE sessions SET id = $2 WHERE id = $1", [session.id, sessionId]);
    if (renewed.rowCount === 0) throw signedOutMeanwhile();
    const { rowCount } = await acrossOrganizations(() => client.query(END_OTHER_SESSIONS, [userId, sessionId]));
    const sessions_ended = rowCount ?? 0;
    await recordAudit(client, { organizationId, userId, address }, "password.changed", { details: { sessions_ended } });
    return { sessionId, sessions_ended };
  });
}

function wrongPassword(): AppError {
  return fault("/current_password", "wrong_password", "This is not your current password.");
}

function fault(pointer: string, code: FaultCode, detail: string): AppError {
  return new AppError("invalid_request", "The password was not changed; see `errors`.", {
    errors: [{ pointer, code, detail }],
  });
}

/** Whether the user has a password. If not, they sign in only through the OpenID provider. */
export async function hasPassword(userId: string): Promise<boolean> {
  const text = "SELECT FROM users WHERE id = $1 AND password_hash IS NOT NULL";
  const { rowCount } = await acrossOrganizations(() => pool().query(text, [userId]));
  return rowCount !== 0;
}
