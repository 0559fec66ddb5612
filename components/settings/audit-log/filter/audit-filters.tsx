import { Button, Group, NativeSelect, Paper } from "@mantine/core";
import { IconFilterOff } from "@tabler/icons-react";

import { ACTION_GROUPS } from "@/components/settings/audit-log/actions";
import classes from "@/components/settings/audit-log/filter/audit-filters.module.css";
import { type AuditFilter, isBackwards, hasFilter } from "@/components/settings/audit-log/filter/filter";
import { DayInput } from "@/components/ui/form/day-input";
import type { Choices } from "@/components/settings/audit-log/filter/use-choices";

const ANY = "";

interface AuditFiltersProps {
  filter: AuditFilter;
  people: Choices;
  clients: Choices;
  onChange: (change: Partial<AuditFilter>) => void;
  onClear: () => void;
}

/** The filters of the log. Native controls work with every keyboard and phone. */
export function AuditFilters({ filter, people, clients, onChange, onClear }: AuditFiltersProps) {
  return (
    <Paper withBorder p="md" component="search" aria-label="Filter the audit log">
      <div className={classes.fields}>
        <WhatSelect value={filter.what} onChange={(what) => onChange({ what })} />
        <ChoiceSelect
          label="Who"
          any="Anybody"
          value={filter.who}
          list={people}
          onChange={(who) => onChange({ who })}
        />
        <ChoiceSelect
          label="API client"
          any="Any"
          value={filter.client}
          list={clients}
          onChange={(client) => onChange({ client })}
        />
        <DayInput label="From" value={filter.from} onChange={(from) => onChange({ from })} />
        <DayInput
          label="To"
          value={filter.to}
          error={isBackwards(filter) && "Choose a day that is not before “From”."}
          onChange={(to) => onChange({ to })}
        />
      </div>
      {hasFilter(filter) && (
        <Group mt="sm">
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconFilterOff size={16} stroke={1.7} aria-hidden />}
            onClick={onClear}
          >
            Clear the filters
          </Button>
        </Group>
      )}
    </Paper>
  );
}

function WhatSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <NativeSelect
      label="What"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      className={classes.what}
    >
      <option value={ANY}>Everything</option>
      {ACTION_GROUPS.map(({ name, label, actions }) => {
        const single = Object.entries(actions);
        return (
          <optgroup key={name} label={label}>
            {single.length > 1 && <option value={name}>{label}: all</option>}
            {single.map(([action, words]) => (
              <option key={action} value={action}>
                {words}
              </option>
            ))}
          </optgroup>
        );
      })}
    </NativeSelect>
  );
}

interface ChoiceSelectProps {
  label: string;
  any: string;
  value: string;
  list: Choices;
  onChange: (value: string) => void;
}

function ChoiceSelect({ label, any, value, list, onChange }: ChoiceSelectProps) {
  return (
    <NativeSelect
      label={label}
      value={value}
      error={list.isError && "The list could not be loaded. Reload the page to try again."}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value={ANY}>{any}</option>
      {list.choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </NativeSelect>
  );
}
