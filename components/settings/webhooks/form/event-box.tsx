import { Checkbox } from "@mantine/core";

import classes from "@/components/settings/webhooks/form/event-picker.module.css";

interface EventBoxProps {
  /** The value that is sent: "case.created". */
  name: string;
  label: string;
  isTicked: boolean;
  /** Some of the events that it includes are ticked. */
  isPartly?: boolean;
  /** Another ticked box includes it. */
  isIncluded?: boolean;
  onToggle: (name: string) => void;
}

/** A box for an event or a pattern of events, with its label and name. */
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
