/** Moves the focus to the first field with a fault of the form with this id; the fault is read out with the field. */
export function focusFault(formId: string): void {
  const form = document.getElementById(formId);
  form?.querySelector<HTMLElement>("[aria-invalid=true], [data-fault] :is(input, button):enabled")?.focus();
}
