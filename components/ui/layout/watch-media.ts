/** What subscribes to a media query, for `useSyncExternalStore`. */
export function watchMedia(media: string): (onChange: () => void) => () => void {
  return (onChange) => {
    const query = window.matchMedia(media);
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  };
}
