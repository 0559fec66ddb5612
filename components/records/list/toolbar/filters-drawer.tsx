import { Button, Drawer, Group, Stack, Text } from "@mantine/core";

import { FilterInput } from "@/components/records/list/toolbar/filter-input";
import { filterFields } from "@/components/records/list/view/filter-names";
import { type ListView, withFilter } from "@/components/records/list/view/list-view";
import { DayInput } from "@/components/ui/form/day-input";
import { PERIODS } from "@/lib/records/schema/list-address";
import type { ResourceName } from "@/lib/records/schema/resources";

export interface FiltersProps {
  resource: ResourceName;
  filters: ListView["filters"];
  /** How many records the list has, in words; empty until they are counted. */
  count: string;
  onChange: (filters: ListView["filters"]) => void;
}

interface FiltersDrawerProps extends FiltersProps {
  opened: boolean;
  onClose: () => void;
}

/** Each choice takes effect at once. */
export function FiltersDrawer({ resource, filters, count, onChange, opened, onClose }: FiltersDrawerProps) {
  const set = (name: string) => (value: string) => onChange(withFilter(filters, name, value));
  return (
    <Drawer opened={opened} onClose={onClose} position="right" size="sm" title="Filters">
      <Stack gap="md">
        {filterFields(resource).map(([name, field]) => (
          <FilterInput key={name} name={name} field={field} value={filters[name] ?? ""} onChange={set(name)} />
        ))}
        {Object.entries(PERIODS).map(([name, label]) => (
          <DayInput key={name} label={label} value={filters[name] ?? ""} onChange={set(name)} />
        ))}
        <Group justify="space-between">
          <Button variant="default" disabled={Object.keys(filters).length === 0} onClick={() => onChange({})}>
            Clear all
          </Button>
          <Text size="sm" c="dimmed">
            {count}
          </Text>
        </Group>
      </Stack>
    </Drawer>
  );
}
