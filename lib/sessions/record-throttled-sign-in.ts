import { recordAudit } from "@/lib/audit";
import { pool } from "@/lib/db";
import { log } from "@/lib/log";
import { findUserByEmail } from "@/lib/sessions/find-user";
import { countAttempt, type Throttle } from "@/lib/throttle";

/** What is refused goes on being refused: told once in a while, no number of attempts fills the audit log. */
const TOLD: Throttle = { name: "sign-in-throttled-told", limit: 1, windowSeconds: 15 * 60 };

/** Tells in the audit log that attempts to sign in as `email` are being refused unseen. Not waited for: time would tell who is known here. */
export function recordThrottledSignIn(email: string, address: string): void {
  tell(email, address).catch((error: unknown) => log.error({ err: error }, "throttled sign-ins were not recorded"));
}

async function tell(email: string, address: string): Promise<void> {
  const user = await findUserByEmail(pool(), email);
  if (!user?.organizationId || (await countAttempt(TOLD, email)) > 0) return;
  await recordAudit(pool(), { organizationId: user.organizationId, userId: user.id, action: "sign_in.throttled", address });
}
