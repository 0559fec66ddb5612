import { Button, CloseButton, Group, Paper, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";

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
  /** How many rows the list has in all, if not all of them are loaded; undefined until they are counted. */
  total: number | undefined;
  /** Loads and selects all of them. */
  onLoadRest: () => Promise<void>;
  selection: Selection;
}

/** Ten requests. Of more rows a file with all of them, or a narrower list, is the better way. */
export const MAX_LOADED_AT_ONCE = 2000;

/** What can be done with the selected rows. */
export function BulkBar({ resource, rows, total, onLoadRest, selection }: BulkBarProps) {
  const [isEditing, editing] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  const load = useMutation({ mutationFn: onLoadRest });
  const targets = targetsOf(rows, selection.ids);
  const count = targets.length;
  const others = total === undefined ? 0 : total - count;
  const words = selectedInWords(count, total);
  return (
    <>
      <Announcement>{count > 0 && words}</Announcement>
      {count > 0 && (
        <Paper withBorder shadow="md" px="sm" py={6} className={classes.bar}>
          <Group gap="xs">
            <Text size="sm" fw={600} className={classes.count}>
              {words}
            </Text>
            <SelectAll count={count} loaded={rows.length} total={total} selection={selection} load={load} />
            <Actions
              isDisabled={load.isPending}
              onEdit={editing.open}
              onDelete={deleting.open}
              onClear={selection.clear}
            />
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
        others={others}
        onClear={selection.clear}
        opened={isDeleting}
        onClose={deleting.close}
      />
    </>
  );
}

interface ActionsProps {
  /** While the rest is loaded, which replaces the selection that they act on. */
  isDisabled: boolean;
  onEdit: () => void;
  onDelete: () => void;
  onClear: () => void;
}

function Actions({ isDisabled, onEdit, onDelete, onClear }: ActionsProps) {
  return (
    <>
      <Button size="compact-sm" variant="default" disabled={isDisabled} onClick={onEdit}>
        Edit
      </Button>
      <Button size="compact-sm" variant="default" disabled={isDisabled} onClick={onDelete}>
        Delete
      </Button>
      <CloseButton size="sm" aria-label="Clear the selection" disabled={isDisabled} onClick={onClear} />
    </>
  );
}

/** "3 selected"; where some rows are not even loaded, "260 of 450 selected". */
function selectedInWords(count: number, total = count): string {
  return total > count
    ? `${formatNumber(count)} of ${formatNumber(total)} selected`
    : `${formatNumber(count)} selected`;
}

interface SelectAllProps extends Pick<BulkBarProps, "total" | "selection"> {
  load: { isPending: boolean; mutate: () => void };
  /** How many are selected. */
  count: number;
  /** How many could be at once. */
  loaded: number;
}

/** A button that selects the rest: of the loaded rows, or of the list, if that is not too long. */
function SelectAll({ count, loaded, total = loaded, selection, load }: SelectAllProps) {
  if (total > loaded && total <= MAX_LOADED_AT_ONCE)
    return (
      <Button size="compact-sm" variant="subtle" loading={load.isPending} onClick={() => load.mutate()}>
        Load and select all {formatNumber(total)}
      </Button>
    );
  if (count < loaded)
    return (
      <Button size="compact-sm" variant="subtle" onClick={() => selection.selectAll()}>
        {total > loaded ? `Select the ${formatNumber(loaded)} loaded` : `Select all ${formatNumber(loaded)}`}
      </Button>
    );
  if (total === loaded) return null;
  return (
    <Text size="sm" c="dimmed">
      Only loaded rows can be selected
    </Text>
  );
}

function targetsOf(rows: readonly ListRow[], ids: Selection["ids"]): Target[] {
  if (ids.size === 0) return [];
  return rows.flatMap(({ id, name, version }) => (ids.has(id) ? [{ id, name, version }] : []));
}
