import type { MouseEvent } from "react";

/** Handles a click, but not the second one of a double-click: what can be done again and again would be done twice. */
export function once(act: () => void): (event: Pick<MouseEvent, "detail">) => void {
  return ({ detail }) => {
    if (detail <= 1) act();
  };
}
