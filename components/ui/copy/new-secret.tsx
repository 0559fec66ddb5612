"use client";

import { Alert, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";

import { CopyButton } from "@/components/ui/copy/copy-button";
import classes from "@/components/ui/copy/new-secret.module.css";

interface NewSecretProps {
  secret: string;
  /** What it is: "client secret". */
  what: string;
  /** How the service keeps it, and what to do when it gets lost. */
  children: ReactNode;
}

/** A new secret. Takes the focus, since the reader has to copy it now. */
export function NewSecret({ secret, what, children }: NewSecretProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Alert
      ref={ref}
      tabIndex={-1}
      color="amber"
      title={`Copy the ${what} now`}
      icon={<IconAlertTriangle aria-hidden />}
    >
      <Text size="sm">This is the only time it is shown: {children}</Text>
      <Group gap="sm" mt="sm" className={classes.row}>
        <code className={classes.secret}>{secret}</code>
        <CopyButton text={secret} what={what} />
      </Group>
    </Alert>
  );
}
