/** A way to leave the page that was caught. */
export type Leave = { href: string } | { go: () => void };

/** Unsaved input of a page, which can have several forms. */
export interface Guard {
  /** What would be lost: "The words of your comment". */
  what: string;
  /** Asks the reader, and tells them of all that would be lost. */
  ask: (leave: Leave, lost: string) => void;
}

const guards = new Set<Guard>();

let listening: AbortController | null = null;

/** Guards unsaved input until the returned function is called. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard);
  listening ??= listen();
  return () => {
    guards.delete(guard);
    if (guards.size === 0) stopGuarding();
  };
}

/** The reader leaves nevertheless: nothing guards the page any more. */
export function stopGuarding(): void {
  guards.clear();
  listening?.abort();
  listening = null;
}

/** Goes to another page of ours by `go`, after asking if there is unsaved input. For what is no link. */
export function leaveFor(href: string, go: () => void): void {
  if (guards.size > 0 && isOtherPage(href)) askFirst({ go });
  else go();
}

/** Whether an address is another page than the open one, and not only another part of it. */
export function isOtherPage(href: string): boolean {
  return new URL(href, window.location.href).pathname !== window.location.pathname;
}

/** Lets the browser ask before the page is closed or loaded anew, until the signal aborts. */
export function warnUntil(signal: AbortSignal): void {
  // A listener of its own each time: one that all share would be removed for all by the first that ends.
  window.addEventListener("beforeunload", (event) => event.preventDefault(), { signal });
}

/** One question for all that is unsaved. */
function askFirst(leave: Leave): void {
  const [first] = guards;
  first?.ask(leave, lostWords([...guards].map(({ what }) => what)));
}

/** What would be lost, as the subject of a sentence: "The words of your comment and the words of your activity". */
function lostWords([first = "", ...more]: readonly string[]): string {
  return [first, ...more.map((what) => what.charAt(0).toLowerCase() + what.slice(1))].join(" and ");
}

/**
 * Catches every way to leave a page for another one of ours, for the router has no event for that: links before they
 * see their click, and Back and Forward by the browser's Navigation API. The browser itself asks before the page is
 * closed or loaded anew; also on Back where it has no Navigation API.
 */
function listen(): AbortController {
  const aborted = new AbortController();
  const { signal } = aborted;
  window.addEventListener("click", onClick, { capture: true, signal });
  warnUntil(signal);
  if ("navigation" in window) window.navigation.addEventListener("navigate", onNavigate, { signal });
  return aborted;
}

function onClick(event: MouseEvent): void {
  const href = leadsAway(event);
  if (href === null) return;
  event.preventDefault();
  event.stopPropagation();
  askFirst({ href });
}

function onNavigate(event: NavigateEvent): void {
  const { key, url } = event.destination;
  // The browser lets Back be caught once, and not again before the reader has used the page.
  if (event.navigationType !== "traverse" || !event.cancelable || !isOtherPage(url)) return;
  event.preventDefault();
  askFirst({ go: () => void window.navigation.traverseTo(key) });
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
