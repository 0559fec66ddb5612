import type { Context } from "@/lib/context";
import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { recordAudit } from "@/lib/security/audit";
import { assertAttemptAllowed, type Throttle, undoAttempt } from "@/lib/security/throttle";
import { verifyPassword } from "@/lib/sessions/passwords/password";

/** As many attempts as a known browser has at the sign-in page: a stolen session gives no more guesses. */
const PER_USER: Throttle = { name: "change-password", limit: 10, windowSeconds: 15 * 60 };

/**
 * Checks that a signed-in person knows their password, and returns its hash. Throws what `wrong` makes,
 * `illegal_state` for somebody without a password, `unauthenticated` for somebody who has gone meanwhile, and
 * `too_many_requests`.
 */
export async function provePassword(
  { userId, organizationId, address }: Pick<Context, "userId" | "organizationId" | "address">,
  password: string,
  wrong: () => AppError,
): Promise<string> {
  const { rows } = await pool().query<{ password_hash: string | null }>(
    "SELECT password_hash FROM users WHERE id = $1",
    [userId],
  );
  if (!rows[0]) throw signedOutMeanwhile();
  const hash = rows[0].password_hash;
  if (hash === null) {
    throw new AppError(
      "illegal_state",
      "You sign in through the OpenID provider and have no password here. An admin can make you a one-time link to " +
        "set one.",
    );
  }
  await assertAttemptAllowed(PER_USER, userId, "Too many wrong passwords.");
  const isRight = await verifyPassword(hash, password).catch(async (error: unknown) => {
    await undoAttempt(PER_USER, userId);
    throw error;
  });
  if (!isRight) {
    await recordAudit(pool(), { organizationId, userId, address }, "password.refused");
    throw wrong();
  }
  await undoAttempt(PER_USER, userId);
  return hash;
}

/** The refusal where the session ended, or its user was deleted, after the request was let in. */
export function signedOutMeanwhile(): AppError {
  return new AppError("unauthenticated", "You have been signed out meanwhile. Sign in again.");
}
