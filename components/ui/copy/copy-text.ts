/**
 * Copies a text to the clipboard. Browsers do not give `navigator.clipboard` to pages loaded by http from another host
 * than localhost; there `execCommand` still works. Throws when neither does.
 */
export async function copyText(text: string): Promise<void> {
  if ("clipboard" in navigator) return navigator.clipboard.writeText(text);
  const before = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  (before?.parentElement ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isDone) throw new Error("The browser does not let this page copy.");
}
