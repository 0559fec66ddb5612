import { Button, Group, Text } from "@mantine/core";

import { ConnectAgain } from "@/components/migration/connect-again";
import { FailureAlert } from "@/components/migration/failure-alert";
import { useControl } from "@/components/migration/migrate/use-control";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import type { Migration } from "@/lib/migration/migration-schema";

/** The buttons that pause, resume and cancel a run, and why it paused. */
export function RunControls({ migration }: { migration: Migration }) {
  const { migration_id: id, status, failure, ext_instance_url: instanceUrl } = migration;
  if (status !== "running" && status !== "paused") return null;
  return (
    <>
      {failure && (
        <FailureAlert title="The migration paused" failure={failure}>
          {failure.code === "source_token_refused" && <ConnectAgain instanceUrl={instanceUrl} />}
        </FailureAlert>
      )}
      {status === "paused" ? <Controls id={id} {...PAUSED} /> : <Controls id={id} {...RUNNING} />}
    </>
  );
}

interface ControlsProps {
  id: string;
  action: "pause" | "resume";
  label: string;
  variant: "filled" | "default";
  sentence: string;
}

const RUNNING = {
  action: "pause",
  label: "Pause",
  variant: "default",
  sentence: "What has been imported stays when you pause or cancel.",
} as const;

const PAUSED = {
  action: "resume",
  label: "Resume",
  variant: "filled",
  sentence: "The migration is paused. What was imported so far stays, and it goes on from there.",
} as const;

function Controls({ id, action, label, variant, sentence }: ControlsProps) {
  const control = useControl(id);
  const isPending = (asked: string) => control.isPending && control.variables === asked;
  return (
    <>
      {control.isError && <ProblemAlert error={control.error} takesFocus />}
      <Group gap="sm" justify="flex-end">
        <Text size="sm" c="dimmed" flex={1} miw="14rem">
          {sentence}
        </Text>
        <Button variant="default" loading={isPending("cancel")} onClick={() => control.mutate("cancel")}>
          Cancel the migration
        </Button>
        <Button variant={variant} loading={isPending(action)} onClick={() => control.mutate(action)}>
          {label}
        </Button>
      </Group>
    </>
  );
}
