import { z } from "zod";

/** The newest API version that this service was checked with (Summer '26). */
const NEWEST_KNOWN = 67;
/** Older versions lack recordCount and the virtual objects that list flows. */
const OLDEST_USABLE = 47;

export const versionList = z
  .array(z.object({ version: z.string().regex(/^\d{1,4}\.\d$/) }))
  .min(1)
  .max(1000);

/** The newest version that both sides know, "67.0"; null when the org offers none that is new enough. */
export function pickVersion(offered: z.output<typeof versionList>): string | null {
  const usable = offered.map(({ version }) => Number(version)).filter((version) => version >= OLDEST_USABLE && version <= NEWEST_KNOWN);
  return usable.length > 0 ? Math.max(...usable).toFixed(1) : null;
}
