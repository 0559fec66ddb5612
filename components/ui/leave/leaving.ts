type Go = () => void;

/** Asks the reader about unsaved input, and goes on if they agree. Null: there is none. One page has one form. */
let ask: ((go: Go) => void) | null = null;

/** Says who asks before the page is left, until the returned function is called. */
export function guardLeaving(asks: (go: Go) => void): () => void {
  ask = asks;
  return () => {
    if (ask === asks) ask = null;
  };
}

/** Goes to another page of ours by `go`, after asking if there is unsaved input. For what is no link. */
export function leaveFor(href: string, go: Go): void {
  if (ask && isOtherPage(href)) ask(go);
  else go();
}

/** Whether an address is another page than the open one, and not only another part of it. */
export function isOtherPage(href: string): boolean {
  return new URL(href, window.location.href).pathname !== window.location.pathname;
}
