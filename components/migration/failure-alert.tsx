import { Alert, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";

import type { Migration } from "@/lib/migration/migration-schema";

interface FailureAlertProps {
  title: string;
  failure: Migration["failure"];
  children?: ReactNode;
}

/** Why a job stopped: the cause, the remedy, and buttons. */
export function FailureAlert({ title, failure, children }: FailureAlertProps) {
  return (
    <Alert color="rust" title={title} icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Text size="sm">{failure?.detail ?? "It stopped for an unknown reason."}</Text>
      {failure?.remedy && (
        <Text size="sm" mt="xs">
          <b>What to do:</b> {failure.remedy}
        </Text>
      )}
      {children && <Group mt="md">{children}</Group>}
    </Alert>
  );
}
