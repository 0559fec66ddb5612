import { type RefObject, useLayoutEffect } from "react";

import { addressOf, lastNavigation } from "@/components/shell/progress/navigations";
import type { ResourceName } from "@/lib/records/schema/resources";

interface Position {
  top: number;
  left: number;
}

/** What scrolls → how far it was scrolled, in pixels, until the page is loaded again. */
const positions = new Map<string, Position>();

/**
 * Scrolls a list or board of some records to where the reader left it, for who comes back: by Back or Forward, or from
 * one of the records. `name` tells what scrolls; null while there is nothing in it yet.
 */
export function useScrollMemory(
  scroller: RefObject<HTMLElement | null>,
  resource: ResourceName,
  name: string | null,
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || name === null) return undefined;
    if (comesBack(resource)) element.scrollTo(positions.get(name) ?? { top: 0, left: 0 });
    else positions.delete(name);
    // Where fewer rows are loaded than before it is scrolled less far, and that is not the reader's doing.
    const begin = positionOf(element);
    let isMoved = false;
    const remember = () => {
      const now = positionOf(element);
      isMoved ||= now.top !== begin.top || now.left !== begin.left;
      if (isMoved) positions.set(name, now);
    };
    element.addEventListener("scroll", remember, { passive: true });
    return () => element.removeEventListener("scroll", remember);
  }, [scroller, resource, name]);
}

function positionOf({ scrollTop, scrollLeft }: Element): Position {
  return { top: scrollTop, left: scrollLeft };
}

const RECORD = /^\/(\w+)\/[0-9a-f]{8}-[-0-9a-f]{27}(?:[/?]|$)/;

function comesBack(resource: ResourceName): boolean {
  const { pathname, search } = window.location;
  const last = lastNavigation();
  if (last?.to !== addressOf(pathname, new URLSearchParams(search))) return false;
  return last.isTraversal || RECORD.exec(last.from)?.[1] === resource;
}
