import { Alert, type AlertProps } from "@mantine/core";
import { useEffect, useRef } from "react";

/** An alert that takes the focus when it appears: what the reader has just done needs their answer. */
export function FocusedAlert(props: AlertProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return <Alert {...props} ref={ref} tabIndex={-1} />;
}
