import { Checkbox } from "@mantine/core";

import classes from "@/components/settings/webhooks/form/event-picker.module.css";

interface EventBoxProps {
  /** What is sent: "case.created". */
  name: string;
  label: string;
  isTicked: boolean;
  /** Some of what it stands for is ticked. */
  isPartly?: boolean;
  /** Another box stands for it. */
  isIncluded?: boolean;
  onToggle: (name: string) => void;
}

/** An event, or all of them, in words and by its name. */
export function EventBox({ name, label, isTicked, isPartly = false, isIncluded = false, onToggle }: EventBoxProps) {
  return (
    <Checkbox
      size="sm"
      checked={isTicked}
      indeterminate={isPartly}
      disabled={isIncluded}
      onChange={() => onToggle(name)}
      label={
        <span className={classes.label}>
          {label} <span className={classes.name}>{name}</span>
        </span>
      }
      styles={{ body: { width: "100%" }, labelWrapper: { flex: 1 } }}
    />
  );
}
