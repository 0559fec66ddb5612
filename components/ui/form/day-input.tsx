import { TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";

import { INCOMPLETE } from "@/components/ui/form/show-faults";
import { useTypedText } from "@/components/ui/form/use-typed-text";

interface DayInputProps {
  label: string;
  /** As `YYYY-MM-DD`; an empty text for none. */
  value: string;
  error?: ReactNode;
  onChange: (day: string) => void;
}

/** So long after the last key a day takes effect, in milliseconds. */
const PAUSE = 600;

/**
 * A day of a filter. While its year is typed, the browser gives a day for each digit: 0002, 0020, 0202, 2026. None
 * takes effect before the year has four. A day that is left half-typed is asked for.
 */
export function DayInput({ label, value, error, onChange }: DayInputProps) {
  const { typed, type, flush } = useTypedText(value, PAUSE, (day) => day !== value && onChange(day));
  const [isIncomplete, setIncomplete] = useState(false);
  return (
    <TextInput
      type="date"
      label={label}
      value={typed}
      max="9999-12-31"
      error={isIncomplete ? INCOMPLETE.date : error}
      onChange={(event) => {
        setIncomplete(false);
        type(event.currentTarget.value, (day) => settledDay(day, value));
      }}
      onBlur={(event) => {
        setIncomplete(event.currentTarget.validity.badInput);
        flush();
        // A year that was left unfinished would stand beside rows that follow the day before.
        const settled = settledDay(typed, value);
        if (settled !== typed) type(settled, (day) => day);
      }}
    />
  );
}

/** The day that is meant by what is typed: `before` as long as the year is not whole. */
export function settledDay(typed: string, before: string): string {
  return typed === "" || typed >= "1000" ? typed : before;
}
