import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { useControl } from "@/components/migration/control/use-control";
import { FailureAlert, needsAccess } from "@/components/migration/failure-alert";
import { doneOf } from "@/components/migration/migrate/progress/progress";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { Confirm } from "@/components/ui/form/confirm";
import { once } from "@/components/ui/form/once";
import { Dialog } from "@/components/ui/overlay/dialog";
import { formatCount } from "@/components/ui/text/format";
import type { Migration } from "@/lib/migration/migration-schema";

/** The buttons that pause, resume and cancel a run, why it paused, and the access that lets it go on. */
export function RunControls({ migration }: { migration: Migration }) {
  const { status, failure } = migration;
  if (status !== "running" && status !== "paused") return null;
  return (
    <>
      {failure && <FailureAlert title="The migration paused" failure={failure} migration={migration} />}
      <Controls migration={migration} />
    </>
  );
}

function Controls({ migration }: { migration: Migration }) {
  const { migration_id: id, status } = migration;
  const control = useControl(id);
  const [isOpen, { open, close }] = useDisclosure();
  const isPaused = status === "paused";
  return (
    <>
      {control.isError && <ProblemAlert error={control.error} takesFocus />}
      <Group gap="sm" justify="flex-end">
        <Text size="sm" c="dimmed" flex={1} miw="14rem">
          {isPaused
            ? "The migration is paused. What was imported so far stays, and it goes on from there."
            : "A pause finishes the page that is being stored. What is here stays, and the run goes on from there " +
              "when you resume it."}
        </Text>
        <Button variant="default" onClick={open}>
          Cancel the migration
        </Button>
        <Button
          variant={isPaused && !needsAccess(migration.failure) ? "filled" : "default"}
          loading={control.isPending}
          // The second click of a double click would take back what the first one has done.
          onClick={once(() => control.mutate(isPaused ? "resume" : "pause"))}
        >
          {isPaused ? "Resume" : "Pause"}
        </Button>
      </Group>
      <Dialog opened={isOpen} onClose={close} title="Cancel the migration?">
        <CancelQuestion migration={migration} onClose={close} />
      </Dialog>
    </>
  );
}

interface CancelQuestionProps {
  migration: Migration;
  onClose: () => void;
}

/** Says what becomes of the records that are here and of the others, before the run is ended. */
function CancelQuestion({ migration, onClose }: CancelQuestionProps) {
  const control = useControl(migration.migration_id, onClose);
  return (
    <Confirm
      mutation={control}
      action="Cancel the migration"
      cancel={migration.status === "paused" ? "Leave it paused" : "Let it run"}
      onConfirm={() => control.mutate("cancel")}
      onCancel={onClose}
    >
      <Text size="sm">
        <b>What is here stays:</b> {soFar(migration)}. The page that is being stored is finished first.
      </Text>
      <Text size="sm">
        The other records are not imported. You can run the migration again later: it starts from the beginning and
        imports nothing twice. To take out what is here, undo the migration afterwards.
      </Text>
    </Confirm>
  );
}

function soFar({ objects }: Migration): string {
  const done = objects.reduce((sum, object) => sum + doneOf(object) - object.skipped - object.failed, 0);
  return `${formatCount(done, "record")} so far, with their links to each other`;
}
