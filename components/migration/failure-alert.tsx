import { Alert, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";

import { GiveAccess } from "@/components/migration/control/give-access";
import type { Migration } from "@/lib/migration/migration-schema";

interface FailureAlertProps {
  title: string;
  failure: Migration["failure"];
  /** Is offered new access to its org, if that helps. */
  migration?: Migration;
  children?: ReactNode;
}

/** Why a job stopped: the cause, the remedy, and buttons. */
export function FailureAlert({ title, failure, migration, children }: FailureAlertProps) {
  return (
    <Alert color="rust" title={title} icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Text size="sm">{failure?.detail ?? "It stopped for an unknown reason."}</Text>
      {failure?.remedy && (
        <Text size="sm" mt="xs">
          <b>What to do:</b> {failure.remedy}
        </Text>
      )}
      {migration && needsAccess(failure) && <GiveAccess migration={migration} mt="md" />}
      {children && <Group mt="md">{children}</Group>}
    </Alert>
  );
}

/** Whether new access to the org lets the job go on. */
export function needsAccess(failure: Migration["failure"]): boolean {
  return failure?.code === "source_token_refused" && failure.denied !== true;
}
