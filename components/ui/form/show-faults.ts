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

/** What is asked for where a date is typed only in part. */
export const INCOMPLETE: Partial<Record<string, string>> = {
  date: "Complete the date.",
  "datetime-local": "Complete the date and the time.",
};

/**
 * The faults of the dates in a form that are typed only in part, by field; null if there is none. Browsers give an
 * empty text for them, so that the form would drop what the reader has typed.
 */
export function incompleteDates(formId: string): Record<string, string> | null {
  const inputs = document.getElementById(formId)?.querySelectorAll<HTMLInputElement>("input[data-path]") ?? [];
  const faults = [...inputs].flatMap(({ type, validity, dataset: { path = "" } }) => {
    const fault = validity.badInput ? INCOMPLETE[type] : undefined;
    return fault === undefined ? [] : [[path, fault] as const];
  });
  return faults.length === 0 ? null : Object.fromEntries(faults);
}

/** Moves the focus to the first field with a fault in a form. Screen readers then read the fault with the field. */
export function focusFault(formId: string): void {
  const form = document.getElementById(formId);
  form?.querySelector<HTMLElement>("[aria-invalid=true], [data-fault] :is(input, button):enabled")?.focus();
}
