import { Badge, Button, Drawer, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";

import { FilterInput, PeriodInput } from "@/components/records/list/toolbar/filter-input";
import { filterFields, PERIODS } from "@/components/records/list/view/filter-names";
import type { ListView } from "@/components/records/list/view/list-view";
import type { ResourceName } from "@/lib/records/schema/resources";

interface FiltersProps {
  resource: ResourceName;
  filters: ListView["filters"];
  /** How many records the list has, in words; empty until they are counted. */
  count: string;
  onChange: (filters: ListView["filters"]) => void;
}

/** A button that opens the filters of a list beside it. Each choice takes effect at once. */
export function Filters({ resource, filters, count, onChange }: FiltersProps) {
  const [opened, { open, close }] = useDisclosure();
  const chosen = Object.keys(filters).length;
  const set = (name: string) => (value: string) => onChange(withFilter(filters, name, value));
  return (
    <>
      <Button
        variant="default"
        onClick={open}
        leftSection={<IconFilter size={16} stroke={1.6} aria-hidden />}
        rightSection={chosen > 0 && <Badge circle>{chosen}</Badge>}
      >
        Filters
      </Button>
      <Drawer opened={opened} onClose={close} position="right" size="sm" title="Filters">
        <Stack gap="md">
          {filterFields(resource).map(([name, field]) => (
            <FilterInput key={name} name={name} field={field} value={filters[name] ?? ""} onChange={set(name)} />
          ))}
          {Object.entries(PERIODS).map(([name, label]) => (
            <PeriodInput key={name} label={label} value={filters[name] ?? ""} onChange={set(name)} />
          ))}
          <Group justify="space-between">
            <Button variant="default" disabled={chosen === 0} onClick={() => onChange({})}>
              Clear all
            </Button>
            <Text size="sm" c="dimmed">
              {count}
            </Text>
          </Group>
        </Stack>
      </Drawer>
    </>
  );
}

/** An empty value takes the filter away. */
export function withFilter(filters: ListView["filters"], name: string, value: string): ListView["filters"] {
  const others = Object.entries(filters).filter(([other]) => other !== name);
  return Object.fromEntries(value === "" ? others : [...others, [name, value]]);
}
