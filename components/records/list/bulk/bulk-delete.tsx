import { Button, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";

import { Problem } from "@/components/api/problem";
import { deleteMany, restoreMany, type Target } from "@/components/records/list/bulk/change-many";
import { FailureList } from "@/components/records/list/bulk/failure-list";
import { type BulkProps, notDone, useBulkChange } from "@/components/records/list/bulk/use-bulk-change";
import { formatRecords, RECORD_NAMES } from "@/components/records/record-names";
import { recordsChanged } from "@/components/records/records-changed";
import { showUndo } from "@/components/ui/feedback/show-undo";
import { Confirm } from "@/components/ui/form/confirm";
import { Dialog } from "@/components/ui/overlay/dialog";
import { formatNumber } from "@/components/ui/text/format";
import type { ResourceName } from "@/lib/records/schema/resources";

interface BulkDeleteProps extends BulkProps {
  /** How many rows the list has that are not selected. */
  others: number;
  opened: boolean;
  onClose: () => void;
}

/** Asks whether to delete the selected rows, deletes them, and says what was not deleted. */
export function BulkDelete({ resource, targets, others, onClear, opened, onClose }: BulkDeleteProps) {
  const showUndoOf = useUndo(resource);
  const remove = useBulkChange(resource, (deleted, failures) => {
    if (deleted.length > 0) showUndoOf(deleted);
    if (failures.length > 0) return;
    onClear();
    onClose();
  });
  const close = () => {
    if (remove.failures.length > 0) onClear();
    remove.reset();
    onClose();
  };
  const what = formatRecords(resource, targets.length);
  const pronoun = pronounOf(targets.length);
  return (
    <Dialog opened={opened} onClose={close} title={`Delete ${RECORD_NAMES[resource].plural.toLowerCase()}?`}>
      {remove.failures.length > 0 ? (
        <Stack>
          <FailureList
            title={notDone(resource, remove.failures.length, remove.count, "deleted")}
            failures={remove.failures}
          />
          <Group justify="flex-end">
            <Button onClick={close}>Close</Button>
          </Group>
        </Stack>
      ) : (
        <Confirm
          mutation={remove}
          action={`Delete ${what}`}
          cancel={`Keep ${pronoun.object}`}
          onConfirm={() => remove.mutate({ targets, run: (onProgress) => deleteMany(resource, targets, onProgress) })}
          onCancel={close}
        >
          <Text size="sm">
            {others > 0 && othersStay(resource, others)}
            {pronoun.subject} can be restored for 30 days, from “Deleted records”, with all that goes with{" "}
            {pronoun.object}.
          </Text>
          {remove.isPending && (
            <Text size="sm">{`${formatNumber(remove.done)} of ${formatNumber(targets.length)}`}</Text>
          )}
        </Confirm>
      )}
    </Dialog>
  );
}

function othersStay(resource: ResourceName, others: number): string {
  return `The other ${formatRecords(resource, others)} of this list ${others === 1 ? "stays" : "stay"}. `;
}

function pronounOf(count: number): { subject: string; object: string } {
  return count === 1 ? { subject: "It", object: "it" } : { subject: "They", object: "them" };
}

/** Says what was deleted, with a button that restores it. */
function useUndo(resource: ResourceName) {
  const queries = useQueryClient();
  return (deleted: readonly Target[]) => {
    const what = formatRecords(resource, deleted.length);
    const undo = async (tell: (progress: string) => void) => {
      let done = 0;
      const [failure, ...more] = await restoreMany(resource, deleted, (count) => {
        done += count;
        tell(`Restoring ${formatNumber(done)} of ${formatNumber(deleted.length)}`);
      });
      await recordsChanged(queries);
      if (!failure) return;
      const title = `${formatRecords(resource, more.length + 1)} could not be restored`;
      throw new Problem({ title, detail: failure.reason, code: "undo", request_id: failure.requestId });
    };
    showUndo({
      title: `${what} deleted`,
      message: `${pronounOf(deleted.length).subject} can be restored for 30 days.`,
      undo,
      undone: `${what} restored`,
    });
  };
}
