import { pool } from "@/lib/db";
import { acrossOrganizations } from "@/lib/organization-scope";

/** All organizations. Nothing that a webhook shows changes, so its version stays. */
const PURGE = `UPDATE webhooks SET previous_secret = NULL, previous_secret_expires_at = NULL WHERE previous_secret_expires_at <= now()`;

/** Forgets secrets that have been rotated and sign no more. Gives how many. */
export async function purgeSecrets(): Promise<number> {
  return (await acrossOrganizations(() => pool().query(PURGE))).rowCount ?? 0;
}
