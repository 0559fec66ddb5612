import { ActionIcon, Button, Checkbox, Drawer, Group, Stack } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useEffect, useRef } from "react";

import { columnNames, DEFAULT_COLUMNS } from "@/components/records/list/view/columns";
import { fieldLabel } from "@/components/ui/text/format";
import type { ResourceName } from "@/lib/records/schema/resources";

export interface ColumnChoiceProps {
  resource: ResourceName;
  columns: readonly string[];
  onChange: (columns: readonly string[]) => void;
}

interface ColumnsDrawerProps extends ColumnChoiceProps {
  opened: boolean;
  onClose: () => void;
}

/** Which columns are shown, and in which order. */
export function ColumnsDrawer({ resource, columns, onChange, opened, onClose }: ColumnsDrawerProps) {
  const { ref, onChange: change } = useKeptFocus(columns, onChange);
  const others = columnNames(resource).filter((name) => !columns.includes(name));
  return (
    <Drawer opened={opened} onClose={onClose} position="right" size="sm" title="Columns">
      <Stack gap="xs" ref={ref}>
        <ChosenColumns columns={columns} onChange={change} />
        {others.map((name) => (
          <Group key={name} mih={32}>
            <Checkbox
              label={fieldLabel(name)}
              checked={false}
              data-focus={name}
              onChange={() => change([...columns, name])}
            />
          </Group>
        ))}
        <Button variant="default" mt="sm" onClick={() => onChange(DEFAULT_COLUMNS[resource])}>
          Back to the usual columns
        </Button>
      </Stack>
    </Drawer>
  );
}

/** Gives the focus back to the control that was used: its column stands elsewhere after the change. */
function useKeptFocus(columns: readonly string[], onChange: ColumnChoiceProps["onChange"]) {
  const ref = useRef<HTMLDivElement>(null);
  const used = useRef<{ name: string | undefined; before: readonly string[] } | null>(null);
  useEffect(() => {
    // What moves or goes leaves the focus to the page. Several changes may arrive one after the other.
    if (!used.current || used.current.before === columns || document.activeElement !== document.body) return;
    const { name } = used.current;
    const controls = ref.current?.querySelectorAll<HTMLElement>("[data-focus]:not(:disabled)") ?? [];
    [...controls].find((control) => control.dataset.focus === name)?.focus();
  }, [columns]);
  return {
    ref,
    onChange: (next: readonly string[]) => {
      const control = document.activeElement;
      used.current = { name: control instanceof HTMLElement ? control.dataset.focus : undefined, before: columns };
      onChange(next);
    },
  };
}

/** The columns that are shown, each with buttons that move it. */
function ChosenColumns({ columns, onChange }: Omit<ColumnChoiceProps, "resource">) {
  return columns.map((name, index) => (
    <Group key={name} justify="space-between" wrap="nowrap" mih={32}>
      <Checkbox
        label={fieldLabel(name)}
        checked
        data-focus={name}
        onChange={() => onChange(columns.filter((other) => other !== name))}
      />
      <Group gap={4} wrap="nowrap">
        <Move
          label={`Move ${fieldLabel(name)} up`}
          icon={IconArrowUp}
          disabled={index === 0}
          onMove={() => onChange(swapped(columns, index - 1))}
        />
        <Move
          label={`Move ${fieldLabel(name)} down`}
          icon={IconArrowDown}
          disabled={index === columns.length - 1}
          onMove={() => onChange(swapped(columns, index))}
        />
      </Group>
    </Group>
  ));
}

interface MoveProps {
  label: string;
  icon: typeof IconArrowUp;
  disabled: boolean;
  onMove: () => void;
}

function Move({ label, icon: Icon, disabled, onMove }: MoveProps) {
  return (
    <ActionIcon variant="default" aria-label={label} data-focus={label} disabled={disabled} onClick={onMove}>
      <Icon size={16} stroke={1.6} />
    </ActionIcon>
  );
}

/** The columns with the one at `index` and the next one swapped. */
function swapped(columns: readonly string[], index: number): string[] {
  const [here, next] = [columns.slice(index, index + 1), columns.slice(index + 1, index + 2)];
  return [...columns.slice(0, index), ...next, ...here, ...columns.slice(index + 2)];
}
