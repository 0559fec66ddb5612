import { recordAudit } from "@/lib/audit";
import { pool } from "@/lib/db";
import { log } from "@/lib/log";
import { knownDevice } from "@/lib/sessions/device-cookie";
import { findUserByEmail } from "@/lib/sessions/find-user";
import { verifyPassword } from "@/lib/sessions/password";
import { email as emailAddress, normalizeEmail } from "@/lib/sessions/person";
import { recordThrottledSignIn } from "@/lib/sessions/record-throttled-sign-in";
import { countSignIn, signInLimits, takeBackSignIn } from "@/lib/sessions/sign-in-limits";
import type { NewSession, Visit } from "@/lib/sessions/start-session";

interface Credentials extends Visit {
  email: string;
  password: string;
  /** The value of the browser's device cookie, if it has one. */
  deviceMark: string | null;
}

export type SignInCheck = ({ outcome: "accepted" } & NewSession) | { outcome: "refused" } | { outcome: "throttled"; retryAfter: number };

/**
 * Checks an e-mail and a password. Wrong password, unknown e-mail, disabled user and user without an organization are told apart neither by
 * the answer nor by the time it takes. Failures are limited as `lib/sessions/sign-in-limits.ts` says.
 */
export async function checkSignIn({ email, password, address, browser, deviceMark }: Credentials): Promise<SignInCheck> {
  const subject = normalizeEmail(email);
  const limits = signInLimits({ email: subject, address, device: knownDevice(deviceMark, subject) });
  const retryAfter = await countSignIn(limits);
  if (retryAfter > 0) {
    recordThrottledSignIn(subject, address);
    return { outcome: "throttled", retryAfter };
  }

  const user = await findCandidate(subject);
  const isRight = await verifyPassword(user?.passwordHash ?? null, password);
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

/** Not waited for: the time of the answer would tell who is known here. */
function recordFailure({ organizationId, userId, address, method }: NewSession): void {
  recordAudit(pool(), { organizationId, userId, address, action: "sign_in.failed", details: { method } }).catch((error: unknown) =>
    log.error({ err: error }, "a failed sign-in was not recorded"),
  );
}

interface Member {
  id: string;
  organizationId: string;
  passwordHash: string | null;
}

/** The enabled member who has this e-mail. */
async function findCandidate(email: string): Promise<Member | null> {
  const user = emailAddress.safeParse(email).success ? await findUserByEmail(pool(), email) : null;
  if (!user || user.isDisabled || user.organizationId === null) return null;
  return { id: user.id, passwordHash: user.passwordHash, organizationId: user.organizationId };
}
