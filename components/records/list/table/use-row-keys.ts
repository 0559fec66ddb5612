import { type RefObject, useEffect, useRef, useState } from "react";

interface RowKeysOptions {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  rowHeight: number;
  /** Space selects the row, or takes it out again. */
  onToggle: (index: number) => void;
  /** Arrows with Shift select all from one row to the other. */
  onExtend: (from: number, to: number) => void;
}

/**
 * Moves the focus between the rows by Up, Down, Page Up, Page Down, Home and End. Only the controls of the `active` row
 * are reached by Tab; it stays rendered while it is focused, wherever the list is scrolled.
 */
export function useRowKeys({ scroller, count, rowHeight, onToggle, onExtend }: RowKeysOptions): number {
  const [given, setActive] = useState(0);
  const active = Math.min(given, Math.max(0, count - 1));
  const focusWanted = useRef<string | null>(null);
  useEffect(() => {
    const control = focusWanted.current;
    focusWanted.current = null;
    if (control)
      scroller.current
        ?.querySelector<HTMLElement>(`[data-index="${active}"] ${control}`)
        ?.focus({ preventScroll: true });
  }, [active, scroller]);
  const onKeyDown = (event: KeyboardEvent) => {
    const from = indexOf(event.target);
    const element = scroller.current;
    if (from === undefined || !element || isShortcut(event)) return;
    if (event.key === " " && event.target instanceof HTMLAnchorElement) {
      event.preventDefault();
      return onToggle(from);
    }
    const page = Math.max(1, Math.floor(roomOf(element) / rowHeight) - 1);
    const to = destination(event.key, from, page, count - 1);
    if (to === undefined) return;
    event.preventDefault();
    if (event.shiftKey) onExtend(from, to);
    if (to !== active) focusWanted.current = event.target instanceof HTMLInputElement ? "input" : "a";
    setActive(to);
    scrollTo(element, to * rowHeight, rowHeight);
  };
  useEffect(() => {
    const element = scroller.current;
    const onFocus = ({ target }: FocusEvent) => setActive((before) => indexOf(target) ?? before);
    // The keys belong to the controls within; React would want the table itself to be one.
    element?.addEventListener("keydown", onKeyDown);
    element?.addEventListener("focusin", onFocus);
    return () => {
      element?.removeEventListener("keydown", onKeyDown);
      element?.removeEventListener("focusin", onFocus);
    };
  });
  return active;
}

/** Combinations of keys belong to the browser. */
function isShortcut({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}

function indexOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return row ? Number(row.dataset.index) : undefined;
}

function destination(key: string, from: number, page: number, last: number): number | undefined {
  const to = { ArrowUp: from - 1, ArrowDown: from + 1, PageUp: from - page, PageDown: from + page, Home: 0, End: last };
  const wanted = Object.hasOwn(to, key) ? to[key as keyof typeof to] : undefined;
  return wanted === undefined ? undefined : Math.max(0, Math.min(last, wanted));
}

/** The height between the head of the table and the bar of a selection, for which the stylesheet sets padding. */
function roomOf(element: HTMLElement): number {
  const { scrollPaddingTop: head, scrollPaddingBottom: bar } = getComputedStyle(element);
  return element.clientHeight - Number.parseFloat(head) - Number.parseFloat(bar);
}

/** Scrolls no further than it takes to show the row between the head and the bar. */
function scrollTo(element: HTMLElement, top: number, rowHeight: number): void {
  const room = roomOf(element);
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + rowHeight > element.scrollTop + room) element.scrollTop = top + rowHeight - room;
}
