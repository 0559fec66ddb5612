import { Badge, Group, NativeSelect, Paper, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

import { withValue } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import classes from "@/components/migration/configure/values/picklist-values.module.css";
import type { Picklist, PicklistValue } from "@/components/migration/configure/values/picklist";
import { targetLabel } from "@/components/migration/report/findings";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatCount, formatCounted, inWords } from "@/components/ui/text/format";
import { objectName } from "@/lib/migration/objects/source-object-names";

/** The values of one picklist, each with the number of records that have it and what it becomes. */
export function PicklistValues({ list }: { list: Picklist }) {
  const { object, field, target, followsClosing, values, open } = list;
  return (
    <Paper withBorder px={{ base: "md", sm: "xs" }} pb="xs" className={classes.list}>
      <Group justify="space-between" gap="sm" pt="md" className={classes.beside}>
        <Title order={4}>
          {field.label}{" "}
          <Text component="span" inherit c="dimmed" fw={400}>
            to {targetLabel(target).toLowerCase()}
          </Text>
        </Title>
        {open > 0 && (
          <Badge color="amber" leftSection={<IconAlertTriangle size={12} aria-hidden />}>
            {formatCount(open, "value has no equivalent", "values have no equivalent")}
          </Badge>
        )}
      </Group>
      {followsClosing && (
        <Text size="sm" c="dimmed" className={classes.beside}>
          Where you choose nothing, a record is closed here if Salesforce counts it as closed, and only then. What you
          choose counts for every record with the value.
        </Text>
      )}
      <StackTable
        caption={`Values of ${field.label} of ${objectName(object)}`}
        columns={columnsOf(list)}
        rows={values}
        rowKey={({ source }) => source}
      />
      {field.more_values !== undefined && (
        <Text size="sm" c="dimmed" pb="xs" className={classes.beside}>
          And {formatCount(field.more_values, "more value")}, which fewer records have. Each becomes what is suggested
          for it, or else “{fillerWords(list)}” with the original kept.
        </Text>
      )}
    </Paper>
  );
}

function columnsOf(list: Picklist): StackColumn<PicklistValue>[] {
  return [
    { key: "value", header: "Value in Salesforce", heading: true, cell: (value) => <SourceValue value={value} /> },
    {
      key: "records",
      header: "Records",
      numeric: true,
      cell: ({ count }) => formatCounted(count),
    },
    { key: "becomes", header: "Becomes", wide: true, cell: (value) => <ValueSelect list={list} value={value} /> },
  ];
}

function SourceValue({ value: { source, label, isActive } }: { value: PicklistValue }) {
  return (
    <>
      <bdi>{source}</bdi>
      {label !== null && (
        <Text component="span" size="xs" c="dimmed" fw={400}>
          {" "}
          <bdi>“{label}”</bdi>
        </Text>
      )}
      {!isActive && (
        <Text component="span" size="xs" c="dimmed" fw={400}>
          {" "}
          inactive
        </Text>
      )}
    </>
  );
}

/** What a record gets whose value has no equivalent. */
function fillerWords({ filler }: Picklist): string {
  return filler === null ? "Empty" : inWords(filler);
}

function ValueSelect({ list, value }: { list: Picklist; value: PicklistValue }) {
  const { isLocked, change } = useEditing();
  const { object, field, options, followsClosing } = list;
  const { source, suggestion, chosen } = value;
  return (
    <NativeSelect
      size="xs"
      maw={300}
      aria-label={`${field.label} “${source}” becomes`}
      disabled={isLocked}
      value={chosen ?? ""}
      onChange={({ currentTarget: { value: option } }) =>
        change((draft) => withValue(draft, object, field.source, source, option))
      }
    >
      <option value="">
        {suggestion === null ? `${fillerWords(list)}, original kept` : `${inWords(suggestion)} (suggested)`}
      </option>
      {options
        // Where the suggestion does not count for all records, it can be chosen.
        .filter((option) => followsClosing || option !== suggestion)
        .map((option) => (
          <option key={option} value={option}>
            {inWords(option)}
          </option>
        ))}
    </NativeSelect>
  );
}
