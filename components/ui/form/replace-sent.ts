import type { UseFormReturnType } from "@mantine/form";

/**
 * Puts `now` into a form after `sent` was sent. A field that the reader has changed while it was under way keeps what
 * they have typed.
 */
export function replaceSent<Values extends Record<string, unknown>>(
  form: Pick<UseFormReturnType<Values>, "getValues" | "setValues">,
  sent: Values,
  now: Values,
): void {
  const typed = form.getValues();
  const isAsSent = (name: string) => JSON.stringify(typed[name]) === JSON.stringify(sent[name]);
  const settled = Object.fromEntries(Object.entries(now).filter(([name]) => isAsSent(name)));
  form.setValues(settled as Partial<Values>);
}
