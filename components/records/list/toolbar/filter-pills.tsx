import { Button, CloseButton, Group, Paper, Text } from "@mantine/core";
import { type ReactNode, useRef } from "react";

import { fieldOf } from "@/components/records/fields/field-of";
import { filterLabel } from "@/components/records/list/view/filter-names";
import { type ListView, withFilter } from "@/components/records/list/view/list-view";
import { MigrationLink, ReferenceLink, ReferenceName } from "@/components/records/reference-link";
import { formatDay, inWords } from "@/components/ui/text/format";
import { isDay } from "@/lib/input/calendar-day";
import { ME, PERIODS } from "@/lib/records/schema/list-address";
import type { ResourceName } from "@/lib/records/schema/resources";

interface FilterPillsProps {
  resource: ResourceName;
  filters: ListView["filters"];
  onChange: (filters: ListView["filters"]) => void;
  /** Gets the focus from the last filter that is taken away. */
  onLast: () => void;
}

/** The filters that are in effect, each with a button that takes it away. */
export function FilterPills({ resource, filters, onChange, onLast }: FilterPillsProps) {
  const buttons = useRef(new Map<string, HTMLButtonElement | null>());
  const chosen = Object.entries(filters);
  if (chosen.length === 0) return null;
  // The focus moves on before its button goes, which follows the address, and so later.
  const remove = (name: string, index: number) => {
    const [next] = chosen[index + 1] ?? chosen[index - 1] ?? [];
    if (next === undefined) onLast();
    else buttons.current.get(next)?.focus();
    onChange(withFilter(filters, name, ""));
  };
  const removeAll = () => {
    onLast();
    onChange({});
  };
  return (
    <Group gap="xs" mt="sm" component="section" aria-label="Filters in effect">
      {chosen.map(([name, value], index) => {
        const label = filterLabel(name);
        return (
          <Paper key={name} withBorder pl="sm" pr={4} py={2} radius="xl" maw="100%">
            <Group gap={6} wrap="nowrap">
              <Text size="sm" truncate>
                {label}: {valueOf(resource, name, value)}
              </Text>
              <CloseButton
                ref={(button) => void buttons.current.set(name, button)}
                size="sm"
                radius="xl"
                aria-label={`Remove the filter ${label}`}
                onClick={() => remove(name, index)}
              />
            </Group>
          </Paper>
        );
      })}
      <Button variant="subtle" size="compact-sm" onClick={removeAll}>
        Show all
      </Button>
    </Group>
  );
}

function valueOf(resource: ResourceName, name: string, value: string): ReactNode {
  if (Object.hasOwn(PERIODS, name)) return isDay(value) ? formatDay(value) : value;
  if (name === "migration_id") return <MigrationLink id={value} />;
  const { kind, references } = fieldOf(resource, name) ?? {};
  if (references === "users") return value === ME ? "Me" : <ReferenceName target="users" id={value} />;
  if (references) return <ReferenceLink resource={references} id={value} />;
  if (kind === "enum") return [...new Set(value.split(","))].map(inWords).join(", ");
  return kind === "boolean" ? YES_NO[value] : <bdi>{value}</bdi>;
}

const YES_NO: Record<string, string> = { true: "Yes", false: "No" };
