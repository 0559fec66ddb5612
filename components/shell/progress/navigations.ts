let onStart: (() => void) | null = null;

/** Next calls it when the reader begins to go to another page, by a link, by Back, or after sending a form. */
export function onRouterTransitionStart(): void {
  onStart?.();
}

/** Says who is told that a navigation begins, until the returned function is called. There is one frame in a page. */
export function watchNavigations(told: () => void): () => void {
  onStart = told;
  return () => {
    if (onStart === told) onStart = null;
  };
}
