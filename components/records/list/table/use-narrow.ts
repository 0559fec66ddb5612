import { useSyncExternalStore } from "react";

/** Below this width rows are cards, as in the stylesheet of the table. */
const NARROW = "screen and (max-width: 48em)";

/** Whether rows are cards. It is known with the first rendering, so that a list can be scrolled to where it was. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(NARROW).matches,
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}
