import { z } from "zod";

import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { AppError, type FaultCode } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { parseInput } from "@/lib/input/parse-input";
import { recordAudit } from "@/lib/security/audit";
import { countAttempt, undoAttempt, type Throttle, formatWait } from "@/lib/security/throttle";
import type { Session } from "@/lib/sessions/browser-sessions/session-store";
import { hashPassword, normalizePassword, verifyPassword } from "@/lib/sessions/passwords/password";
import { assertStrongPassword } from "@/lib/sessions/passwords/password-strength";
import { newPassword } from "@/lib/sessions/people/person";

/**
 * As many guesses as a browser that is known has at the sign-in page: a session that somebody has stolen is worth no
 * more.
 */
const PER_USER: Throttle = { name: "change-password", limit: 10, windowSeconds: 15 * 60 };

const input = z.strictObject({
  current_password: z.string().min(1, "Enter your current password."),
  new_password: newPassword,
});

export interface ChangedPassword {
  /** What the session is called from now on: a copy of its cookie goes on to nothing, like all other sessions. */
  sessionId: string;
  /** How many others ended. */
  sessions_ended: number;
}

/** In every organization: there is one password for all. */
const END_OTHER_SESSIONS = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";

/**
 * Membership, link, user, sessions: the order of whoever disables or removes the member, and of a one-time link's use.
 */
const END_LINK = `
  WITH held AS (SELECT user_id FROM memberships WHERE organization_id = $1 AND user_id = $2 FOR SHARE)
  DELETE FROM password_links l USING held WHERE l.organization_id = $1 AND l.user_id = held.user_id`;

const UPDATE_PASSWORD = `
  WITH held AS (SELECT user_id FROM memberships WHERE organization_id = $4 AND user_id = $1 AND disabled_at IS NULL FOR SHARE)
  UPDATE users SET password_hash = $3 FROM held WHERE id = held.user_id AND password_hash = $2`;

/**
 * Changes the password of whoever is signed in, who proves to know the current one. Ends all of their other sessions
 * and a one-time link that is under way; what they have allowed apps stays. Throws `invalid_request` per field,
 * `illegal_state` for somebody without a password, `too_many_requests`.
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
  const hash = await proveCurrentPassword(session, current_password, address);
  if (normalizePassword(new_password) === normalizePassword(current_password)) {
    throw fault("/new_password", "invalid_value", "This is your current password. Choose another one.");
  }
  const owner = { email: session.user_email, name: session.user_name, organization: session.organization_name };
  assertStrongPassword(new_password, owner, "/new_password");
  const newHash = await hashPassword(new_password);
  return transaction(async (client) => {
    await client.query(END_LINK, [organizationId, userId]);
    // Of two changes at once the second one's current password is past.
    if ((await client.query(UPDATE_PASSWORD, [userId, hash, newHash, organizationId])).rowCount === 0)
      throw wrongPassword();
    const sessionId = newId();
    const renewed = await client.query("UPDATE sessions SET id = $2 WHERE id = $1", [session.id, sessionId]);
    if (renewed.rowCount === 0)
      throw new AppError("unauthenticated", "You have been signed out meanwhile. Sign in again.");
    const { rowCount } = await acrossOrganizations(() => client.query(END_OTHER_SESSIONS, [userId, sessionId]));
    const sessions_ended = rowCount ?? 0;
    await recordAudit(client, {
      organizationId,
      userId,
      address,
      action: "password.changed",
      details: { sessions_ended },
    });
    return { sessionId, sessions_ended };
  });
}

/** The hash of the current password, once it is shown to be known. */
async function proveCurrentPassword(
  { user_id: userId, organization_id: organizationId }: Session,
  password: string,
  address: string,
): Promise<string> {
  const { rows } = await pool().query<{ password_hash: string | null }>(
    "SELECT password_hash FROM users WHERE id = $1",
    [userId],
  );
  const hash = rows[0]?.password_hash ?? null;
  if (hash === null) {
    throw new AppError(
      "illegal_state",
      "You sign in through the OpenID provider and have no password here. An admin can make you a one-time link to " +
        "set one.",
    );
  }
  const wait = await countAttempt(PER_USER, userId);
  if (wait > 0)
    throw new AppError("too_many_requests", `Too many wrong passwords. Try again ${formatWait(wait)}.`, {
      retryAfter: wait,
    });
  if (!(await verifyPassword(hash, password))) {
    await recordAudit(pool(), { organizationId, userId, address, action: "password.refused" });
    throw wrongPassword();
  }
  await undoAttempt(PER_USER, userId);
  return hash;
}

function wrongPassword(): AppError {
  return fault("/current_password", "wrong_password", "This is not your current password.");
}

function fault(pointer: string, code: FaultCode, detail: string): AppError {
  return new AppError("invalid_request", "The password was not changed; see `errors`.", {
    errors: [{ pointer, code, detail }],
  });
}

/** Whether somebody has a password at all, or signs in through the OpenID provider alone. */
export async function hasPassword(userId: string): Promise<boolean> {
  const text = "SELECT FROM users WHERE id = $1 AND password_hash IS NOT NULL";
  const { rowCount } = await acrossOrganizations(() => pool().query(text, [userId]));
  return rowCount !== 0;
}
