import { Paper, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";

import { formatNumber } from "@/components/ui/text/format";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { differenceOf } from "@/components/migration/migrate/progress";
import classes from "@/components/migration/migrate/reconciliation-table.module.css";
import type { ObjectProgress } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/migrated-objects";
import { isResource } from "@/lib/records/schema/registry";
import { RECORD_NAMES } from "@/components/records/record-names";
import { TextLink } from "@/components/ui/text/text-link";

const COUNTS = ["created", "updated", "unchanged", "skipped", "failed"] as const;

const COLUMNS: StackColumn<ObjectProgress>[] = [
  { key: "object", header: "Object", heading: true, cell: (item) => objectName(item.object) },
  {
    key: "source",
    header: "In Salesforce",
    numeric: true,
    cell: (item) => (item.source === null ? "not counted" : formatNumber(item.source)),
  },
  ...COUNTS.map((key) => ({
    key,
    header: key.charAt(0).toUpperCase() + key.slice(1),
    numeric: true,
    cell: (item: ObjectProgress) => <Count value={item[key]} />,
  })),
  { key: "sum", header: "Adds up", cell: (item) => <Sum item={item} /> },
  { key: "records", header: "Look at them", cell: (item) => <RecordsLink resource={item.resource} /> },
];

/**
 * The proof for each object: the number in Salesforce equals the sum of created, updated, unchanged, skipped and
 * failed.
 */
export function ReconciliationTable({ objects }: { objects: readonly ObjectProgress[] }) {
  return (
    <section>
      <Title order={2} mb="md">
        Reconciliation
      </Title>
      <Paper withBorder px={{ base: "md", sm: "xs" }}>
        <StackTable
          caption="Reconciliation per object"
          columns={COLUMNS}
          rows={objects}
          rowKey={(item) => item.object}
        />
      </Paper>
    </section>
  );
}

function Count({ value }: { value: number }) {
  return value === 0 ? (
    <Text component="span" size="sm" c="dimmed">
      0
    </Text>
  ) : (
    formatNumber(value)
  );
}

function Sum({ item }: { item: ObjectProgress }) {
  if (item.reconciled) {
    return (
      <span className={classes.yes}>
        <IconCheck size={15} stroke={2.4} aria-hidden /> Yes
      </span>
    );
  }
  const difference = differenceOf(item);
  return (
    <span className={classes.no}>
      <IconAlertTriangle size={15} stroke={2} aria-hidden />{" "}
      {difference === null ? "Not counted" : describe(difference)}
    </span>
  );
}

function describe(difference: number): string {
  if (difference === 0) return "Not finished";
  return difference > 0 ? `${formatNumber(difference)} missing` : `${formatNumber(-difference)} too many`;
}

function RecordsLink({ resource }: { resource: string }) {
  return isResource(resource) ? (
    <TextLink href={`/${resource}`} inherit>
      {RECORD_NAMES[resource].plural}
    </TextLink>
  ) : null;
}
