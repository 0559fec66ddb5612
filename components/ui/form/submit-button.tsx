import { Button } from "@mantine/core";
import type { MouseEvent, ReactNode, Ref } from "react";

import { incompleteDates } from "@/components/ui/form/show-faults";

interface SubmitButtonProps {
  ref?: Ref<HTMLButtonElement>;
  isPending: boolean;
  /** Whether there is nothing to send. */
  isUnchanged: boolean;
  /** Called when it is pressed though there is nothing to send. */
  onNothing?: () => void;
  children: ReactNode;
}

/**
 * The button that sends a form, if there is something to send. Otherwise it says that it does nothing, but keeps the
 * focus: `disabled` would take it from the reader who has just saved. A date that is typed only in part changes no
 * value, but the form has something to say about it.
 */
export function SubmitButton({ ref, isPending, isUnchanged, onNothing, children }: SubmitButtonProps) {
  return (
    <Button
      ref={ref}
      type="submit"
      loading={isPending}
      {...(isUnchanged && { "aria-disabled": true, "data-disabled": true })}
      // Enter in a field clicks it too.
      onClick={(event) => {
        if (!isUnchanged || hasIncompleteDate(event)) return;
        event.preventDefault();
        onNothing?.();
      }}
    >
      {children}
    </Button>
  );
}

function hasIncompleteDate({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>): boolean {
  return form !== null && incompleteDates(form.id) !== null;
}
