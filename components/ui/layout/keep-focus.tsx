import { type FocusEvent, type ReactNode, useEffect, useRef } from "react";

interface KeepFocusProps {
  /** What changes when one content takes the place of another. */
  on: string;
  children: ReactNode;
}

/**
 * Content that is replaced as a whole, often together with the button that the reader has just pressed. The heading of
 * the new one then takes the focus, which would else fall to the top of the page.
 */
export function KeepFocus({ on, children }: KeepFocusProps) {
  const room = useRef<HTMLDivElement>(null);
  const last = useRef<Element | null>(null);
  const shown = useRef(on);
  useEffect(() => {
    if (shown.current === on) return;
    shown.current = on;
    if (document.activeElement === document.body && last.current !== null) focusHeading(room.current);
  }, [on]);
  const leave = ({ target }: FocusEvent) => {
    // A button that was removed or disabled has lost the focus against the will of the reader.
    if (target.isConnected && !target.matches(":disabled")) last.current = null;
  };
  return (
    // It only watches. Events of dialogs arrive here too, wherever they stand in the page.
    <div ref={room} onFocus={({ target }) => (last.current = target)} onBlur={leave}>
      {children}
    </div>
  );
}

function focusHeading(room: HTMLElement | null): void {
  const heading = room?.querySelector<HTMLElement>("h2, [role=alert]");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}
