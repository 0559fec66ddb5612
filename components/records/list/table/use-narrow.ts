import { useSyncExternalStore } from "react";

import { watchMedia } from "@/components/ui/layout/watch-media";

/** Below this width rows are cards, as in the stylesheet of the table. */
const NARROW = "screen and (max-width: 48em)";

const watchNarrow = watchMedia(NARROW);

/** Whether rows are cards. It is known with the first rendering, so that a list can be scrolled to where it was. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    watchNarrow,
    () => window.matchMedia(NARROW).matches,
    () => false,
  );
}
