import { type RefObject, useCallback, useSyncExternalStore } from "react";

import { usePrinting } from "@/components/ui/layout/use-printing";

/** The rows of a long list that are rendered: from `first` to before `end`. */
export interface RowWindow {
  first: number;
  end: number;
  /** Whether it has all loaded rows, for paper: what is below them is not near then. */
  isPrinted: boolean;
}

/** The window moves by so many rows, so that most frames of a scroll render nothing. */
const STEP = 8;

/** So many rows are rendered beyond the visible ones, for the frames before the window has moved. */
const BEYOND = 16;

/** What the server renders, which does not know how high the reader's window is. */
const FROM_SERVER = "0 40";

/**
 * The rows near the visible part of `scroller`, all of which are `rowHeight` pixels high. With equal heights this is a
 * division, so it needs no library that measures rows. All rows while the page is printed.
 */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): RowWindow {
  const isPrinting = usePrinting();
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
  if (isPrinting) return { first: 0, end: count, isPrinted: true };
  return { first: Math.min(first, count), end: Math.min(end, count), isPrinted: false };
}
