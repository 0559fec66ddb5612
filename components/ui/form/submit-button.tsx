import { Button } from "@mantine/core";
import type { ReactNode, Ref } from "react";

interface SubmitButtonProps {
  ref?: Ref<HTMLButtonElement>;
  isPending: boolean;
  /** Whether there is nothing to send. */
  isUnchanged: boolean;
  children: ReactNode;
}

/**
 * The button that sends a form, if there is something to send. Otherwise it says that it does nothing, but keeps the
 * focus: `disabled` would take it from the reader who has just saved.
 */
export function SubmitButton({ ref, isPending, isUnchanged, children }: SubmitButtonProps) {
  return (
    <Button
      ref={ref}
      type="submit"
      loading={isPending}
      {...(isUnchanged && { "aria-disabled": true, "data-disabled": true })}
      // Enter in a field clicks it too.
      onClick={(event) => isUnchanged && event.preventDefault()}
    >
      {children}
    </Button>
  );
}
