import { useEffect, useEffectEvent } from "react";

import { guardLeaving, isOtherPage } from "@/components/ui/leave/leaving";

/** A way to leave the page that was caught. */
export type Leave = { href: string } | { go: () => void };

/** Lets the browser ask before a page with unsaved input is closed or loaded anew. */
export function useLeaveWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isUnsaved]);
}

/**
 * Catches every way to leave a page with unsaved input for another one of ours, for the router has no event for that:
 * links before they see their click, Back and Forward by the browser's Navigation API, and what calls `leaveFor`. The
 * browser itself asks before the page is closed or loaded anew; also on Back where it has no Navigation API.
 */
export function useLeaveGuard(isUnsaved: boolean, onCaught: (leave: Leave) => void): void {
  const caught = useEffectEvent(onCaught);
  useLeaveWarning(isUnsaved);
  useEffect(() => {
    if (!isUnsaved) return;
    const aborted = new AbortController();
    const onClick = (event: MouseEvent) => {
      const href = leadsAway(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      caught({ href });
    };
    window.addEventListener("click", onClick, { capture: true, signal: aborted.signal });
    const onNavigate = (event: NavigateEvent) => {
      const { key, url } = event.destination;
      // The browser lets Back be caught once, and not again before the reader has used the page.
      if (event.navigationType !== "traverse" || !event.cancelable || !isOtherPage(url)) return;
      event.preventDefault();
      caught({ go: () => void window.navigation.traverseTo(key) });
    };
    if ("navigation" in window) window.navigation.addEventListener("navigate", onNavigate, { signal: aborted.signal });
    const release = guardLeaving((go) => caught({ go }));
    return () => {
      aborted.abort();
      release();
    };
  }, [isUnsaved]);
}

/**
 * The page of ours that a click leads to in this tab; null if it stays here, downloads something, or is on a link that
 * says itself that input is discarded.
 */
function leadsAway(event: MouseEvent): string | null {
  const link = event.target instanceof Element ? event.target.closest("a:not([data-discards])") : null;
  if (
    !(link instanceof HTMLAnchorElement) ||
    !isPlain(event) ||
    link.target === "_blank" ||
    link.hasAttribute("download")
  )
    return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  const isOurs = origin === window.location.origin && !pathname.startsWith("/api/");
  return isOurs && isOtherPage(link.href) ? pathname + search + hash : null;
}

/** Other clicks open a tab or a menu, and leave this page as it is. */
function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && ![metaKey, ctrlKey, shiftKey, altKey].includes(true);
}
