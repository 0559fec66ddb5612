"use client";

import { Alert } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";

/** Says why a form was refused. Takes the focus, so that a screen reader starts there. */
export function FormAlert({ children }: { children: string }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => alert.current?.focus(), []);
  return (
    <Alert ref={alert} role="alert" color="rust" variant="light" icon={<IconAlertCircle aria-hidden />} tabIndex={-1}>
      {children}
    </Alert>
  );
}
