import { notifications } from "@mantine/notifications";

/** What is said where the code of a part of the page could not be loaded. */
export const NOT_LOADED = {
  title: "This part of the page could not be loaded",
  message: "Check your network, then try again. If that does not help, reload the page.",
};

/** Says, once, that a part of the page could not be loaded, until the reader closes it. The next try loads it again. */
export function sayNotLoaded(): void {
  notifications.show({ id: "not-loaded", color: "rust", ...NOT_LOADED, autoClose: false });
}

/** A ref for what takes the place, and so the focus, of the control that asked for it. */
export function takeFocus(control: HTMLElement | null): void {
  control?.focus();
  // What was typed into the other one goes on here.
  if (control instanceof HTMLInputElement) control.setSelectionRange(control.value.length, control.value.length);
}
