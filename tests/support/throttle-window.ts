import { setTimeout as delay } from "node:timers/promises";

/**
 * Resolves when the current window of a throttle has at least `needSeconds` left: attempts before and after its end are
 * counted separately. Windows begin at multiples of their length since 1970.
 */
export async function untilWindowLasts(windowSeconds: number, needSeconds = 20): Promise<void> {
  const left = windowSeconds - ((Date.now() / 1000) % windowSeconds);
  if (left < needSeconds) await delay((left + 0.1) * 1000);
}
