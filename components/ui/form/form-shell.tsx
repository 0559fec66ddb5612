import { Group, Stack } from "@mantine/core";
import type { ReactNode, SubmitEvent } from "react";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import classes from "@/components/ui/form/measure.module.css";

export interface FormShellProps {
  id?: string;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Why the last attempt was refused, unless its fields say so. */
  refusal: Error | null;
  /** More on how to mend that. */
  help?: ReactNode;
  /** The buttons at the end. */
  actions: ReactNode;
  /** As wide as a line of text, on a page that is wide enough for tables. */
  isNarrow?: boolean;
  /** What its fields hold is on its way, and must not be changed any more. */
  isLocked?: boolean;
  children: ReactNode;
}

/** A form of the settings: the refusal, the fields, the buttons. Faults are shown by it, not by the browser. */
export function FormShell(props: FormShellProps) {
  const { id, onSubmit, refusal, help, actions, isNarrow = false, isLocked = false, children } = props;
  return (
    <form id={id} onSubmit={onSubmit} noValidate className={isNarrow ? classes.form : undefined}>
      <Stack gap="lg">
        {refusal && (
          <ProblemAlert error={refusal} takesFocus>
            {help}
          </ProblemAlert>
        )}
        <fieldset disabled={isLocked} role="presentation" className={classes.fields}>
          {children}
        </fieldset>
        <Group justify="flex-end" gap="sm">
          {actions}
        </Group>
      </Stack>
    </form>
  );
}
