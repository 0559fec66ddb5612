import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { SubmitButton } from "@/components/ui/form/submit-button";
import { useGoBack } from "@/components/ui/leave/use-go-back";
import { Link } from "@/components/ui/text/links";

interface PageActionsProps {
  mutation: { isPending: boolean; isSuccess: boolean };
  /** The page to which who cancels goes back. */
  back: string;
  /** Whether there is nothing to send. */
  isUnchanged?: boolean;
  /** On the button that sends the form. */
  children: ReactNode;
}

/** The buttons of a form on a page of its own: one that leaves it, unless it is being sent, and one that sends it. */
export function PageActions({ mutation, back, isUnchanged = false, children }: PageActionsProps) {
  const goBack = useGoBack();
  const isBusy = mutation.isPending || mutation.isSuccess;
  return (
    <>
      {isBusy ? (
        // A link cannot be disabled.
        <Button variant="default" disabled>
          Cancel
        </Button>
      ) : (
        <Button
          component={Link}
          href={back}
          variant="default"
          data-discards
          // The second click of a double-click would go back further.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
          onNavigate={(event) => {
            event.preventDefault();
            goBack(back);
          }}
        >
          Cancel
        </Button>
      )}
      <SubmitButton isPending={isBusy} isUnchanged={isUnchanged}>
        {children}
      </SubmitButton>
    </>
  );
}
