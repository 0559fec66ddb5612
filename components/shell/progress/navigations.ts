/** The longest that the bar shows: a redirect may lead back to the open page, which nothing here tells. */
export const MAX_BAR_MS = 10_000;

const listeners = new Set<() => void>();

interface Navigation {
  from: string;
  to: string;
  /** By Back or Forward. */
  isTraversal: boolean;
}

/** The address of the page that is shown. */
let shown = "";
let isUnderWay = false;
let last: Navigation | null = null;
let timeout: ReturnType<typeof setTimeout> | undefined;

function tell(isBegun: boolean): void {
  clearTimeout(timeout);
  if (isBegun) timeout = setTimeout(() => tell(false), MAX_BAR_MS);
  isUnderWay = isBegun;
  for (const listener of listeners) listener();
}

/**
 * Next calls it when the reader begins to go to another page, by a link, by Back, or after sending a form: within
 * React's transition to that page. The bar is no part of that, so that neither can hold up the other.
 */
export function onRouterTransitionStart(href: string, type: "push" | "replace" | "traverse"): void {
  const { pathname, searchParams } = new URL(href, window.location.href);
  const to = addressOf(pathname, searchParams);
  const isOther = to !== shown;
  // Also where nothing is under way: who goes on at once leaves a page that has not told yet that it is there.
  last = { from: shown, to, isTraversal: type === "traverse" };
  queueMicrotask(() => tell(isOther));
}

/** The page with an address is there. */
export function arriveAt(address: string): void {
  shown = address;
  tell(false);
}

export function addressOf(pathname: string, query: URLSearchParams): string {
  return `${pathname}?${query.toString()}`;
}

/** The last way to another page, which may still be on it; null on the first one. */
export function lastNavigation(): Navigation | null {
  return last;
}

/** A change of the address within the page is no way to a page, though it may end at the address of the last one. */
export function forgetNavigation(): void {
  last = null;
}

/** Whether the next page is being made. */
export function isNavigating(): boolean {
  return isUnderWay;
}

/** Calls a listener when that may have changed, until the returned function is called. */
export function watchNavigations(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
