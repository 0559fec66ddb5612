import { setTimeout as delay } from "node:timers/promises";

import { pool } from "@/tests/support/owner";

/**
 * Resolves when the current window of a throttle has at least `needSeconds` left: attempts before and after its end are
 * counted separately. Windows begin at multiples of their length since 1970.
 */
export async function untilWindowLasts(windowSeconds: number, needSeconds = 20): Promise<void> {
  const left = windowSeconds - ((Date.now() / 1000) % windowSeconds);
  if (left < needSeconds) await delay((left + 0.1) * 1000);
}

/** Counts as many attempts of a subject as given, in this window of a throttle and in the next one. */
export async function countUp(name: string, subject: string, count: number, windowSeconds = 3600): Promise<void> {
  await pool().query(
    `INSERT INTO throttles (key, window_end, count)
     SELECT $1 || ':' || encode(sha256(convert_to($2, 'UTF8')), 'hex'),
       to_timestamp((floor(extract(epoch FROM now()) / $4::int) + n) * $4::int), $3::int
     FROM generate_series(1, 2) AS n
     ON CONFLICT (key, window_end) DO UPDATE SET count = excluded.count`,
    [name, subject, count, windowSeconds],
  );
}
