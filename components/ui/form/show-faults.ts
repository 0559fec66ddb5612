import { flushSync } from "react-dom";

/** Shows faults at the fields of a form, and moves the focus to the first of them. Does nothing for null. */
export function showFaults<Faults>(
  form: { setErrors: (faults: Faults) => void },
  formId: string,
  faults: Faults | null,
): void {
  if (!faults) return;
  flushSync(() => form.setErrors(faults));
  focusFault(formId);
}

/** Moves the focus to the first field with a fault in a form. Screen readers then read the fault with the field. */
export function focusFault(formId: string): void {
  const form = document.getElementById(formId);
  form?.querySelector<HTMLElement>("[aria-invalid=true], [data-fault] :is(input, button):enabled")?.focus();
}
