import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { recordAudit } from "@/lib/security/audit";
import { countAttempt, type Throttle } from "@/lib/security/throttle";
import type { NewSession, Visit } from "@/lib/sessions/browser-sessions/session-store";
import { verifyPassword } from "@/lib/sessions/passwords/password";
import { email as emailAddress, normalizeEmail } from "@/lib/sessions/people/person";
import { deviceCookie, knownDevice } from "@/lib/sessions/browser-sessions/cookies";
import { findUserByEmail, type FoundUser } from "@/lib/sessions/sign-in/find-user";
import { countSignIn, signInLimits, takeBackSignIn, undoSignIn } from "@/lib/sessions/sign-in/sign-in-limits";

interface Credentials extends Visit {
  email: string;
  password: string;
  /** The value of the browser's device cookie, if it has one. */
  deviceMark: string | null;
}

export type SignInCheck =
  | ({ outcome: "accepted" } & NewSession)
  | { outcome: "refused" }
  | { outcome: "throttled"; retryAfter: number };

/**
 * Checks an e-mail and a password. Neither the answer nor its time distinguishes a wrong password, an unknown e-mail, a
 * disabled user and a user without an organization. Failures are limited by `lib/sessions/sign-in/sign-in-limits.ts`.
 */
export async function checkSignIn({
  email,
  password,
  address,
  browser,
  deviceMark,
}: Credentials): Promise<SignInCheck> {
  const subject = normalizeEmail(email);
  const found = await findUser(subject);
  // A mark is checked for nobody, too, since the time would reveal whether the e-mail is known.
  const limits = signInLimits({ email: subject, address, device: knownDevice(deviceMark, found?.id ?? "") });
  const retryAfter = await countSignIn(limits);
  if (retryAfter > 0) {
    recordThrottledSignIn(found, subject, address);
    return { outcome: "throttled", retryAfter };
  }

  const user = candidateOf(found);
  const isRight = await verifyPassword(user?.passwordHash ?? null, password).catch(waitOf);
  if (typeof isRight === "number") {
    await undoSignIn(limits);
    return { outcome: "throttled", retryAfter: isRight };
  }
  if (!user) return { outcome: "refused" };
  const { id: userId, organizationId, passwordHash } = user;
  const attempt = { organizationId, userId, address, browser, method: "password" } as const;
  if (!isRight || passwordHash === null) {
    recordFailure(attempt);
    return { outcome: "refused" };
  }
  await takeBackSignIn(limits);
  return { outcome: "accepted", ...attempt, passwordHash };
}

/** The seconds to wait where too many passwords are being checked. Throws any other error. */
function waitOf(error: unknown): number {
  if (error instanceof AppError && error.retryAfter !== undefined) return error.retryAfter;
  throw error;
}

/** The answer does not wait for it: its time would reveal whether the e-mail is known. */
function recordFailure({ organizationId, userId, address, method }: NewSession): void {
  recordAudit(pool(), { organizationId, userId, address }, "sign_in.failed", { details: { method } }).catch(
    (error: unknown) => log.error({ err: error }, "could not record a failed sign-in"),
  );
}

interface Member {
  id: string;
  organizationId: string;
  passwordHash: string | null;
}

/** The user with this e-mail; null also for a text that is none. */
async function findUser(email: string): Promise<FoundUser | null> {
  return emailAddress.safeParse(email).success ? findUserByEmail(pool(), email) : null;
}

/** The user as an enabled member. */
function candidateOf(user: FoundUser | null): Member | null {
  if (!user || user.isDisabled || user.organizationId === null) return null;
  return { id: user.id, passwordHash: user.passwordHash, organizationId: user.organizationId };
}

/** Refused attempts can go on for ever, so they are recorded once per window and cannot fill the audit log. */
const AUDIT_THROTTLE: Throttle = { name: "sign-in-throttled-told", limit: 1, windowSeconds: 15 * 60 };

/**
 * Records in the audit log that attempts to sign in as `email` are refused unchecked. The answer does not wait for it:
 * its time would reveal whether the e-mail is known.
 */
function recordThrottledSignIn(user: FoundUser | null, email: string, address: string): void {
  recordThrottled(user, email, address).catch((error: unknown) =>
    log.error({ err: error }, "could not record throttled sign-ins"),
  );
}

async function recordThrottled(user: FoundUser | null, email: string, address: string): Promise<void> {
  if (!user?.organizationId) return;
  if ((await countAttempt(AUDIT_THROTTLE, email)) > 0) return;
  await recordAudit(pool(), { organizationId: user.organizationId, userId: user.id, address }, "sign_in.throttled");
}

/** `Set-Cookie` values that mark a browser as one in which the user with this e-mail is known. */
export async function markDevice(email: string, presentMark: string | null): Promise<string[]> {
  const user = await findUser(normalizeEmail(email));
  return user ? [deviceCookie(user.id, presentMark)] : [];
}
