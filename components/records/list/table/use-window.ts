import { type RefObject, useCallback, useSyncExternalStore } from "react";

/** The rows of a long list that are rendered: from `first` to before `end`. */
export interface RowWindow {
  first: number;
  end: number;
}

/** The window moves by so many rows, so that most frames of a scroll render nothing. */
const STEP = 8;

/** So many rows are rendered beyond the visible ones, for the frames before the window has moved. */
const BEYOND = 16;

/** What the server renders, which does not know how high the reader's window is. */
const FROM_SERVER = "0 40";

/**
 * The rows near the visible part of `scroller`, all of which are `rowHeight` pixels high. With equal heights this is a
 * division, so it needs no library that measures rows.
 */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): RowWindow {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const element = scroller.current;
      if (!element) return () => undefined;
      const observer = new ResizeObserver(onChange);
      observer.observe(element);
      element.addEventListener("scroll", onChange, { passive: true });
      return () => {
        observer.disconnect();
        element.removeEventListener("scroll", onChange);
      };
    },
    [scroller],
  );
  const near = () => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    if (clientHeight === 0) return FROM_SERVER;
    const top = Math.floor(scrollTop / rowHeight / STEP) * STEP;
    const visible = Math.ceil(clientHeight / rowHeight) + STEP;
    return `${Math.max(0, top - BEYOND)} ${top + visible + BEYOND}`;
  };
  const [first = 0, end = 0] = useSyncExternalStore(subscribe, near, () => FROM_SERVER)
    .split(" ")
    .map(Number);
  return { first: Math.min(first, count), end: Math.min(end, count) };
}
