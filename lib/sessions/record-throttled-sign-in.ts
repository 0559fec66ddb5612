import { recordAudit } from "@/lib/audit";
import { pool } from "@/lib/db";
import { log } from "@/lib/log";
import { countAttempt, type Throttle } from "@/lib/throttle";

/** What is refused goes on being refused: told once in a while, no number of attempts fills the audit log. */
const TOLD: Throttle = { name: "sign-in-throttled-told", limit: 1, windowSeconds: 15 * 60 };

const FIND_MEMBER = `
  SELECT u.id AS "userId", m.organization_id AS "organizationId" FROM users u JOIN memberships m ON m.user_id = u.id
  WHERE u.email = $1 ORDER BY m.created_at, m.organization_id LIMIT 1`;

interface Member {
  userId: string;
  organizationId: string;
}

/** Tells in the audit log that attempts to sign in as `email` are being refused unseen. Not waited for: time would tell who is known here. */
export function recordThrottledSignIn(email: string, address: string): void {
  tell(email, address).catch((error: unknown) => log.error({ err: error }, "throttled sign-ins were not recorded"));
}

async function tell(email: string, address: string): Promise<void> {
  const { rows } = await pool().query<Member>(FIND_MEMBER, [email]);
  const [member] = rows;
  if (!member || (await countAttempt(TOLD, email)) > 0) return;
  await recordAudit(pool(), { ...member, action: "sign_in.throttled", address });
}
