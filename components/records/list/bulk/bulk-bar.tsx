import { Button, CloseButton, Group, Paper, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import classes from "@/components/records/list/bulk/bulk-bar.module.css";
import type { Target } from "@/components/records/list/bulk/change-many";
import type { Selection } from "@/components/records/list/use-selection";
import type { ListRow } from "@/components/records/list/view/list-row";
import { Announcement } from "@/components/ui/feedback/announcement";
import { formatNumber } from "@/components/ui/text/format";
import { onDemand } from "@/components/ui/overlay/on-demand";
import type { ResourceName } from "@/lib/records/schema/resources";

const BulkEdit = onDemand(async () => (await import("@/components/records/list/bulk/bulk-edit")).BulkEdit);

const BulkDelete = onDemand(async () => (await import("@/components/records/list/bulk/bulk-delete")).BulkDelete);

interface BulkBarProps {
  resource: ResourceName;
  rows: readonly ListRow[];
  selection: Selection;
}

/** What can be done with the selected rows. */
export function BulkBar({ resource, rows, selection }: BulkBarProps) {
  const [isEditing, editing] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  const targets = targetsOf(rows, selection.ids);
  const count = targets.length;
  const words = `${formatNumber(count)} selected`;
  return (
    <>
      <Announcement>{count > 0 && words}</Announcement>
      {count > 0 && (
        <Paper withBorder shadow="md" px="sm" py={6} className={classes.bar}>
          <Group gap="xs">
            <Text size="sm" fw={600} className={classes.count}>
              {words}
            </Text>
            {count < rows.length && (
              <Button size="compact-sm" variant="subtle" onClick={selection.selectAll}>
                Select all {formatNumber(rows.length)}
              </Button>
            )}
            <Button size="compact-sm" variant="default" onClick={editing.open}>
              Edit
            </Button>
            <Button size="compact-sm" variant="default" onClick={deleting.open}>
              Delete
            </Button>
            <CloseButton size="sm" aria-label="Clear the selection" onClick={selection.clear} />
          </Group>
        </Paper>
      )}
      <BulkEdit
        resource={resource}
        targets={targets}
        onClear={selection.clear}
        opened={isEditing}
        onClose={editing.close}
      />
      <BulkDelete
        resource={resource}
        targets={targets}
        onClear={selection.clear}
        opened={isDeleting}
        onClose={deleting.close}
      />
    </>
  );
}

function targetsOf(rows: readonly ListRow[], ids: Selection["ids"]): Target[] {
  if (ids.size === 0) return [];
  return rows.flatMap(({ id, name, version }) => (ids.has(id) ? [{ id, name, version }] : []));
}
