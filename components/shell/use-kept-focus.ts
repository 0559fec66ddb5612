import { type RefObject, useEffect, useRef } from "react";

/**
 * Gives the focus to the content of the page when the element that has it is removed or disabled for good: a button
 * whose deed is done, a row that was deleted, the link of a page that Back has left. Otherwise the next key would begin
 * at the top of the document. While a dialog is open, the dialog gets it: the page behind it is covered. A button that
 * is disabled only while it loads gets the focus back, as does a field of a form that is locked while it is sent.
 * Returns the ref of the content.
 */
export function useKeptFocus(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  useEffect(() => {
    let last: Element | null = null;
    let isChecked = false;
    const check = () => {
      isChecked = false;
      if (last === null || !isLost() || isLoading(last)) return;
      const target = last.isConnected && !isDisabled(last) ? last : (openDialog() ?? content.current);
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    };
    // After the effects of the same change, which may move the focus themselves, as a closing dialog does in 10 ms.
    const checkSoon = () => {
      if (isChecked || last === null || !isLost()) return;
      isChecked = true;
      setTimeout(check, DELAY_MS);
    };
    const onFocus = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
    };
    // Who leaves a control on purpose, by a click beside it or by closing the keyboard of a phone, gives the focus up.
    const onPointer = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && last?.contains(target))) last = null;
    };
    const onBlur = ({ target }: FocusEvent) => {
      // A button that loads loses it with the next frame, and may have loaded before it could be looked at below.
      if (target instanceof Element && isDisabled(target)) return;
      setTimeout(() => {
        const isLeft = target === last && last?.isConnected && !isDisabled(last) && document.activeElement !== last;
        if (isLeft) last = null;
      });
    };
    const observer = new MutationObserver(checkSoon);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", onBlur);
    document.addEventListener("pointerdown", onPointer, true);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", onBlur);
      document.removeEventListener("pointerdown", onPointer, true);
    };
  }, []);
  return content;
}

const DELAY_MS = 50;

/** Browsers leave the focus on a disabled control for a moment, then give it to the body. */
function isLost(): boolean {
  const { activeElement: focused, body } = document;
  return focused === null || focused === body || isDisabled(focused);
}

/** The one on top: later ones are added behind the others. */
function openDialog(): Element | undefined {
  return [...document.querySelectorAll("[role=dialog][aria-modal=true]")].at(-1);
}

function isDisabled(element: Element): boolean {
  return element.matches(":disabled");
}

function isLoading(element: Element): boolean {
  return element.isConnected && element.matches(":disabled[data-loading], fieldset[disabled] :disabled");
}
