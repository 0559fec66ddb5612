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
  children: ReactNode;
}

/** A form of the settings: the refusal, the fields, the buttons. Faults are shown by it, not by the browser. */
export function FormShell({ id, onSubmit, refusal, help, actions, isNarrow = false, children }: FormShellProps) {
  return (
    <form id={id} onSubmit={onSubmit} noValidate className={isNarrow ? classes.form : undefined}>
      <Stack gap="lg">
        {refusal && (
          <ProblemAlert error={refusal} takesFocus>
            {help}
          </ProblemAlert>
        )}
        {children}
        <Group justify="flex-end" gap="sm">
          {actions}
        </Group>
      </Stack>
    </form>
  );
}
