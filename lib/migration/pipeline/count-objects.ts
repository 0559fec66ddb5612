import { namingObject } from "@/lib/migration/failure";
import { assertWithinLimit } from "@/lib/migration/pipeline/api-budget";
import { type ObjectProgressRow, setExpected } from "@/lib/migration/pipeline/progress";
import { countWindow } from "@/lib/migration/pipeline/read/window";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { stopWaiting } from "@/lib/migration/pipeline/waiting";

/**
 * Counts in the source the objects that are not counted yet, one at least. False: `deadline` has come before all are.
 * Throws `ApiLimitReached`.
 */
export async function countObjects(
  session: RunSession,
  objects: readonly ObjectProgressRow[],
  deadline: number,
): Promise<boolean> {
  const uncounted = objects.filter(({ expected }) => expected === null);
  for (const [index, progress] of uncounted.entries()) {
    if (index > 0 && performance.now() >= deadline) return false;
    assertWithinLimit(session.api);
    const { object, since } = progress;
    const window = { ...session.window, since };
    progress.expected = await namingObject(object, () => countWindow(session.client, object, window));
    await setExpected(session.run, object, progress.expected);
    // Each count is an answer, so the time of a source that fails now and then is not added up.
    await stopWaiting(session.run);
  }
  return true;
}
