import { pool } from "@/lib/db";
import { verifyPassword } from "@/lib/sessions/password";
import { email as emailAddress } from "@/lib/sessions/person";
import { countAttempt, forgetAttempts, takeBackAttempt, type Throttle } from "@/lib/throttle";

const PER_EMAIL: Throttle = { name: "sign-in-email", limit: 10, windowSeconds: 15 * 60 };
/** Wider, since a whole office can share one address. */
const PER_ADDRESS: Throttle = { name: "sign-in-address", limit: 100, windowSeconds: 15 * 60 };

interface Credentials {
  email: string;
  password: string;
  /** The network address that the attempt comes from. */
  address: string;
}

interface SignedInUser {
  userId: string;
  organizationId: string;
}

export type SignInCheck = ({ outcome: "accepted" } & SignedInUser) | { outcome: "refused" } | { outcome: "throttled"; retryAfter: number };

/**
 * Checks an e-mail and a password. Wrong password, unknown e-mail, disabled user and user without an organization are told apart neither by
 * the answer nor by the time it takes. Attempts are counted per e-mail and per address, the right ones are taken back.
 */
export async function checkSignIn({ email, password, address }: Credentials): Promise<SignInCheck> {
  const subject = email.trim().toLowerCase();
  const waits = await Promise.all([countAttempt(PER_EMAIL, subject), countAttempt(PER_ADDRESS, address)]);
  const retryAfter = Math.max(...waits);
  if (retryAfter > 0) return { outcome: "throttled", retryAfter };

  const user = await findCandidate(subject);
  if (!(await verifyPassword(user?.password_hash ?? null, password)) || !user) return { outcome: "refused" };
  await Promise.all([forgetAttempts(PER_EMAIL, subject), takeBackAttempt(PER_ADDRESS, address)]);
  return { outcome: "accepted", userId: user.id, organizationId: user.organization_id };
}

interface Candidate {
  id: string;
  organization_id: string;
  password_hash: string | null;
}

/** Somebody of several organizations signs in to the one that they joined first. */
async function findCandidate(email: string): Promise<Candidate | undefined> {
  if (!emailAddress.safeParse(email).success) return undefined;
  const { rows } = await pool().query<Candidate>(
    `SELECT u.id, u.password_hash, m.organization_id FROM users u JOIN memberships m ON m.user_id = u.id
     WHERE u.email = $1 AND u.disabled_at IS NULL ORDER BY m.created_at, m.organization_id LIMIT 1`,
    [email],
  );
  return rows[0];
}
