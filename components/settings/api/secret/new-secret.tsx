"use client";

import { Alert, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";

import { CopyButton } from "@/components/settings/api/copy-button";
import classes from "@/components/settings/api/secret/new-secret.module.css";

/** A secret that has just been made. It takes the focus: it is what the reader must see to now. `children` say what to do when it gets lost. */
export function NewSecret({ secret, children }: { secret: string; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Alert ref={ref} tabIndex={-1} color="amber" title="Copy the client secret now" icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm">This is the only time it is shown: the service keeps a digest, from which nobody can read it back. {children}</Text>
      <Group gap="sm" mt="sm" className={classes.row}>
        <code className={classes.secret} data-testid="client-secret">
          {secret}
        </code>
        <CopyButton text={secret} what="client secret" />
      </Group>
    </Alert>
  );
}
