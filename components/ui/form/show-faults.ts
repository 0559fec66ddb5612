import { flushSync } from "react-dom";

/**
 * Shows the faults of a refused form at its fields, and moves the focus to the first of them. Does nothing where none
 * is a field's: that is told above the form.
 */
export function showFaults<Faults>(
  form: { setErrors: (faults: Faults) => void },
  formId: string,
  faults: Faults | null | undefined,
): void {
  if (!faults) return;
  flushSync(() => form.setErrors(faults));
  focusFault(formId);
}

/** Moves the focus to the first field with a fault of the form with this id; the fault is read out with the field. */
export function focusFault(formId: string): void {
  const form = document.getElementById(formId);
  form?.querySelector<HTMLElement>("[aria-invalid=true], [data-fault] :is(input, button):enabled")?.focus();
}
