/** How the field of the palette is recognized, wherever it stands. */
export const OPTIONS_ID = "palette-options";

/** Longer than loading the palette takes; if it fails, the keys belong to the page again. */
const KEPT_MS = 5000;

let typed = "";
let stop = () => undefined as void;

/**
 * Keeps what is typed from now on until the palette's field has the focus: its code may still be loading. Nothing of it
 * reaches the page.
 */
export function keepTyped(): void {
  if (document.getElementById(OPTIONS_ID) !== null) return;
  takeTyped();
  const listening = new AbortController();
  const timer = setTimeout(() => stop(), KEPT_MS);
  stop = () => {
    clearTimeout(timer);
    listening.abort();
  };
  const onKey = (event: KeyboardEvent) => {
    if (isInField() || event.key === "Escape") return stop();
    const after = withKey(typed, event);
    // A shortcut of the page or of the browser.
    if (after === null && (event.ctrlKey || event.metaKey || event.altKey)) return;
    typed = after ?? typed;
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("keydown", onKey, { capture: true, signal: listening.signal });
  window.addEventListener("pointerdown", () => stop(), { capture: true, signal: listening.signal });
}

/** What was typed before the field had the focus. From now on the field gets the keys. */
export function takeTyped(): string {
  stop();
  const taken = typed;
  typed = "";
  return taken;
}

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** The text after a key; null where the key is none of a text. */
export function withKey(text: string, { key, ctrlKey, metaKey, altKey }: Key): string | null {
  if (key === "Backspace") return [...text].slice(0, -1).join("");
  const isCharacter = [...key].length === 1;
  // AltGr, which some layouts need for characters, is Ctrl and Alt together.
  return isCharacter && ctrlKey === altKey && !metaKey ? text + key : null;
}

function isInField(): boolean {
  return document.activeElement?.getAttribute("aria-controls") === OPTIONS_ID;
}
