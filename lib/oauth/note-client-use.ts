import { pool } from "@/lib/db";
import { log } from "@/lib/log";

const INTERVAL_MILLISECONDS = 60_000;

/** When this process last wrote it down, per client. */
const noted = new Map<string, number>();

/** Keeps `last_used_at` true to about a minute, without making a request wait or write. */
export function noteClientUse(clientId: string): void {
  const now = Date.now();
  if (now - (noted.get(clientId) ?? 0) < INTERVAL_MILLISECONDS) return;
  noted.set(clientId, now);
  pool()
    .query("UPDATE oauth_clients SET last_used_at = now() WHERE id = $1", [clientId])
    .catch((error: unknown) => log.warn({ client: clientId, err: error }, "could not note the use of a client"));
}
