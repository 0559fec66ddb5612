import { Button, Group, Text } from "@mantine/core";
import dynamic from "next/dynamic";

import { useControl } from "@/components/migration/control/use-control";
import { FailureAlert } from "@/components/migration/failure-alert";
import { doneOf } from "@/components/migration/migrate/progress";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Confirm } from "@/components/ui/form/confirm";
import { useDialog } from "@/components/ui/form/use-dialog";
import { Dialog } from "@/components/ui/overlay/dialog";
import { formatCount } from "@/components/ui/text/format";
import type { Migration } from "@/lib/migration/migration-schema";

const ReconnectForm = dynamic(
  async () => (await import("@/components/migration/control/reconnect-form")).ReconnectForm,
);

interface RunControlsProps {
  migration: Migration;
  canSignIn: boolean;
}

/** The buttons that pause, resume and cancel a run, why it paused, and the access that lets it go on. */
export function RunControls({ migration, canSignIn }: RunControlsProps) {
  const { status, failure } = migration;
  if (status !== "running" && status !== "paused") return null;
  return (
    <>
      {failure && <FailureAlert title="The migration paused" failure={failure} />}
      {failure?.code === "source_token_refused" && <ReconnectForm migration={migration} canSignIn={canSignIn} />}
      <Controls migration={migration} />
    </>
  );
}

function Controls({ migration }: { migration: Migration }) {
  const { migration_id: id, status } = migration;
  const resume = useControl(id);
  const dialog = useDialog<Stopping>();
  const isPaused = status === "paused";
  return (
    <>
      {resume.isError && <ProblemAlert error={resume.error} takesFocus />}
      <Group gap="sm" justify="flex-end">
        <Text size="sm" c="dimmed" flex={1} miw="14rem">
          {isPaused
            ? "The migration is paused. What was imported so far stays, and it goes on from there."
            : "What has been imported stays when you pause or cancel."}
        </Text>
        <Button variant="default" onClick={() => dialog.open("cancel")}>
          Cancel the migration
        </Button>
        {isPaused ? (
          <Button
            variant={migration.failure === null ? "filled" : "default"}
            loading={resume.isPending}
            onClick={() => resume.mutate("resume")}
          >
            Resume
          </Button>
        ) : (
          <Button variant="default" onClick={() => dialog.open("pause")}>
            Pause
          </Button>
        )}
      </Group>
      <Dialog
        opened={dialog.isOpen}
        onClose={dialog.close}
        title={dialog.subject === "pause" ? "Pause the migration?" : "Cancel the migration?"}
      >
        {dialog.subject && <StopQuestion migration={migration} action={dialog.subject} onClose={dialog.close} />}
      </Dialog>
    </>
  );
}

type Stopping = "pause" | "cancel";

interface StopQuestionProps {
  migration: Migration;
  action: Stopping;
  onClose: () => void;
}

/** Says what becomes of the records that are here and of the others, before anything is stopped. */
function StopQuestion({ migration, action, onClose }: StopQuestionProps) {
  const control = useControl(migration.migration_id, onClose);
  const isPause = action === "pause";
  return (
    <Confirm
      mutation={control}
      action={isPause ? "Pause" : "Cancel the migration"}
      cancel={migration.status === "paused" ? "Leave it paused" : "Let it run"}
      isDangerous={!isPause}
      onConfirm={() => control.mutate(action)}
      onCancel={onClose}
    >
      <Text size="sm">
        <b>What is here stays:</b> {soFar(migration)}. The page that is being stored is finished first.
      </Text>
      <Text size="sm">
        {isPause
          ? "Nothing more is read or written until you resume. It then goes on where it stopped, and imports nothing " +
            "twice."
          : "The other records are not imported. You can run the migration again later: it starts from the beginning " +
            "and imports nothing twice. To take out what is here, undo the migration afterwards."}
      </Text>
    </Confirm>
  );
}

function soFar({ objects }: Migration): string {
  const done = objects.reduce((sum, object) => sum + doneOf(object) - object.skipped - object.failed, 0);
  return `${formatCount(done, "record")} so far, with their links to each other`;
}
