import { Input, Text } from "@mantine/core";
import { type ReactNode, type Ref, useId } from "react";

import classes from "@/components/ui/form/field-group.module.css";

interface FieldGroupProps {
  ref?: Ref<HTMLFieldSetElement>;
  label: string;
  help: ReactNode;
  /** What is wrong with the group, if it is no fault of one of its fields. */
  error: ReactNode;
  children: ReactNode;
}

/** Fields that belong together, at least one of them. The fault of the group describes it, as its help does. */
export function FieldGroup({ ref, label, help, error, children }: FieldGroupProps) {
  const [helpId, errorId] = [useId(), useId()];
  return (
    <fieldset
      ref={ref}
      className={classes.plain}
      aria-describedby={error ? `${errorId} ${helpId}` : helpId}
      data-fault={error ? true : undefined}
    >
      <Input.Label component="legend" required labelElement="div">
        {label}
      </Input.Label>
      <Text id={helpId} size="xs" c="dimmed" mb="xs">
        {help}
      </Text>
      {children}
      {error && (
        <Input.Error id={errorId} mt="xs">
          {error}
        </Input.Error>
      )}
    </fieldset>
  );
}
