import { Button } from "@mantine/core";
import type { ReactNode } from "react";

interface DialogActionsProps {
  isPending: boolean;
  onCancel: () => void;
  /** On the button that sends the form. */
  children: ReactNode;
}

/** The buttons of a form that was opened: one that closes it, unless it is being sent, and one that sends it. */
export function DialogActions({ isPending, onCancel, children }: DialogActionsProps) {
  return (
    <>
      <Button variant="default" disabled={isPending} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isPending}>
        {children}
      </Button>
    </>
  );
}
