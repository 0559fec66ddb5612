import { Group, Text } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";

import classes from "@/components/migration/wizard/step-footer.module.css";

interface StepFooterProps {
  back?: ReactNode;
  next: ReactNode;
  /** False once the migration has been started. */
  promisesNothingWritten?: boolean;
}

/** The buttons of a step and, before the start, the promise that nothing is written. */
export function StepFooter({ back, next, promisesNothingWritten = true }: StepFooterProps) {
  return (
    <Group justify="space-between" gap="md" className={classes.footer}>
      {promisesNothingWritten ? <NothingWritten /> : <span />}
      <Group gap="sm">
        {back}
        {next}
      </Group>
    </Group>
  );
}

/** Shown on every step before the start. */
export function NothingWritten() {
  return (
    <Group gap={8} wrap="nowrap" align="flex-start" className={classes.promise}>
      <IconShieldCheck size={18} stroke={1.6} aria-hidden className={classes.icon} />
      <Text size="sm" c="dimmed">
        Nothing is written until you press “Start migration”. Your Salesforce org is only ever read.
      </Text>
    </Group>
  );
}
