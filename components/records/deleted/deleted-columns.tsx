import { Button, Checkbox } from "@mantine/core";
import { notifications } from "@mantine/notifications";

import { OtherRecord } from "@/components/records/deleted/restore-record";
import { useRestore } from "@/components/records/deleted/use-restore";
import type { Selection } from "@/components/records/list/use-selection";
import { shownName } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { MigrationLink, ReferenceName } from "@/components/records/reference-link";
import { showProblem } from "@/components/ui/feedback/show-problem";
import { once } from "@/components/ui/form/once";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { TextLink } from "@/components/ui/text/links";
import { Moment } from "@/components/ui/text/moment";
import type { ResourceName } from "@/lib/records/schema/resources";

/** An item of `GET /deleted_records`. */
export interface DeletedRow {
  object: ResourceName;
  id: string;
  name: string;
  deleted_at: string;
  deleted_by_id: string;
  /** The migration that deleted it, because it was deleted or replaced in Salesforce. */
  migration_id: string | null;
  restorable_until: string;
}

const COLUMNS: readonly StackColumn<DeletedRow>[] = [
  { key: "name", header: "Name", heading: true, cell: link },
  { key: "kind", header: "Kind", cell: ({ object }) => RECORD_NAMES[object].singular },
  { key: "deleted", header: "Deleted", cell: ({ deleted_at: at }) => <Moment iso={at} /> },
  {
    key: "by",
    header: "By",
    cell: ({ migration_id: migration, deleted_by_id: by }) =>
      migration ? (
        <MigrationLink id={migration} />
      ) : (
        <bdi>
          <ReferenceName target="users" id={by} />
        </bdi>
      ),
  },
  {
    key: "until",
    header: "Can be restored until",
    wide: true,
    cell: ({ restorable_until: until }) => <Moment iso={until} />,
  },
  { key: "restore", header: "", controls: true, cell: (row) => <Restore row={row} /> },
];

/** A record can be deleted, restored and deleted again. */
export function keyOf({ id, deleted_at: at }: DeletedRow): string {
  return `${id} ${at}`;
}

/** The columns, the first with boxes that select rows. Its header has none, for stacked rows hide headers. */
export function columnsWith(rows: readonly DeletedRow[], selection: Selection): readonly StackColumn<DeletedRow>[] {
  const { ids, select } = selection;
  const box = (row: DeletedRow) => (
    <Checkbox
      size="xs"
      aria-label={`Select ${shownName(row.name)}`}
      checked={ids.has(keyOf(row))}
      // A change does not tell whether Shift was pressed.
      onClick={(event) => select(rows.indexOf(row), event.shiftKey)}
      readOnly
    />
  );
  return [{ key: "select", header: "", controls: true, cell: box }, ...COLUMNS];
}

/** Leads to the record, or while it is deleted to what its page says of that. */
function link({ object, id, name }: DeletedRow) {
  return (
    <TextLink href={`/${object}/${id}`} inherit>
      <bdi>{shownName(name)}</bdi>
    </TextLink>
  );
}

/** The row will be gone: whoever restores by keyboard goes on with the next one. */
function focusNext(button: Element): void {
  const row = button.closest("tr");
  const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector("button");
  next?.focus({ preventScroll: true });
}

/** One message at a time: several would cover the buttons of the rows that remain. */
const RESTORED = "restored";

function Restore({ row }: { row: DeletedRow }) {
  const { object, id, name } = row;
  const restore = useRestore(object, id);
  const start = (button: Element) =>
    restore.mutate(undefined, {
      onSuccess: () => {
        notifications.hide(RESTORED);
        notifications.show({ id: RESTORED, title: `${RECORD_NAMES[object].singular} restored`, message: link(row) });
        focusNext(button);
      },
      onError: (error) => showProblem(error, { more: <OtherRecord error={error} /> }),
    });
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`Restore ${shownName(name)}`}
      loading={restore.isPending}
      onClick={(event) => once(() => start(event.currentTarget))(event)}
    >
      Restore
    </Button>
  );
}
