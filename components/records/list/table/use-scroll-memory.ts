import { type RefObject, useLayoutEffect } from "react";

/** Address of a list → how far it was scrolled, in pixels, until the page is loaded again. */
const positions = new Map<string, number>();

/** Scrolls a list to where the reader left it, for who comes back from a record. */
export function useScrollMemory(scroller: RefObject<HTMLElement | null>, address: string): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    element?.scrollTo({ top: positions.get(address) ?? 0 });
    const remember = () => positions.set(address, element?.scrollTop ?? 0);
    element?.addEventListener("scroll", remember, { passive: true });
    return () => element?.removeEventListener("scroll", remember);
  }, [scroller, address]);
}
