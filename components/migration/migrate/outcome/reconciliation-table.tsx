import { Paper, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";

import { formatCounted, formatNumber } from "@/components/ui/text/format";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { MergedNote } from "@/components/migration/migrate/outcome/merged-note";
import { differenceOf } from "@/components/migration/migrate/progress/progress";
import classes from "@/components/migration/migrate/outcome/reconciliation-table.module.css";
import { TextLink } from "@/components/ui/text/links";
import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";
import { isResource } from "@/lib/records/schema/registry";
import { RECORD_NAMES } from "@/components/records/record-names";

const COUNTS = ["created", "updated", "unchanged", "skipped", "failed"] as const;

/** What the first number counts: all records, or what a delta has read together with what was left out so far. */
const SOURCES: Record<Migration["run_kind"], string> = {
  full: "In Salesforce",
  retry: "In Salesforce",
  delta: "Counted",
};

const columnsOf = ({ run_kind: kind, outdated_by_undo }: Migration): StackColumn<ObjectProgress>[] => [
  { key: "object", header: "Object", heading: true, cell: (item) => objectName(item.object) },
  { key: "source", header: SOURCES[kind], numeric: true, cell: ({ source }) => formatCounted(source) },
  ...COUNTS.map((key) => ({
    key,
    header: key.charAt(0).toUpperCase() + key.slice(1),
    numeric: true,
    cell: (item: ObjectProgress) => <Count value={item[key]} />,
  })),
  { key: "sum", header: "Adds up", cell: (item) => <Sum item={item} isOutdated={outdated_by_undo} /> },
  ...(kind === "delta" ? [DELETED] : []),
];

/** What a delta has deleted here, which is no part of its sum. */
const DELETED: StackColumn<ObjectProgress> = {
  key: "deleted",
  header: "Deleted",
  numeric: true,
  cell: (item) => <Count value={item.deleted} />,
};

/** Its first run may find here all that it reads, as another migration made it. Then its list is empty. */
function recordsOf({ migration_id: id, run_number: run }: Migration): StackColumn<ObjectProgress> {
  return {
    key: "records",
    header: "Look at them",
    cell: ({ resource, created }) =>
      created > 0 || run > 1 ? <RecordsLink resource={resource} migrationId={id} /> : <Dimmed>None created</Dimmed>,
  };
}

const HEADINGS: Record<Migration["run_kind"], { title: string; lead: string }> = {
  full: {
    title: "Reconciliation",
    lead: "Every record of Salesforce, counted again after the run, and what became of it here.",
  },
  retry: {
    title: "Reconciliation",
    lead: "Every record of Salesforce, as counted by the last full run, and what became of it here.",
  },
  delta: {
    title: "Reconciliation of the delta",
    lead:
      "Only what was created or changed in Salesforce since the run before, with what was left out so far, and what " +
      "became of it here; beside the sum, what was deleted. “Compare with Salesforce” below compares all records.",
  },
};

/**
 * The proof for each object: the number in Salesforce equals the sum of created, updated, unchanged, skipped and
 * failed.
 */
export function ReconciliationTable({ migration }: { migration: Migration }) {
  const { objects, run_kind: kind } = migration;
  const { title, lead } = HEADINGS[kind];
  return (
    <section>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" size="sm" mb="md">
        {lead}
      </Text>
      <Paper withBorder px={{ base: "md", sm: "xs" }}>
        <StackTable
          caption="Reconciliation per object"
          columns={[...columnsOf(migration), recordsOf(migration)]}
          rows={objects}
          rowKey={(item) => item.object}
        />
      </Paper>
      <MergedNote migration={migration} />
    </section>
  );
}

function Count({ value }: { value: number }) {
  return value === 0 ? <Dimmed>0</Dimmed> : formatNumber(value);
}

function Dimmed({ children }: { children: string }) {
  return (
    <Text component="span" size="sm" c="dimmed">
      {children}
    </Text>
  );
}

function Sum({ item, isOutdated }: { item: ObjectProgress; isOutdated: boolean }) {
  if (item.reconciled) {
    return (
      <span className={classes.yes}>
        <IconCheck size={15} stroke={2.4} aria-hidden /> Yes
      </span>
    );
  }
  const difference = differenceOf(item);
  // It is no fault: only because of the undo, what is done and agrees is no longer reconciled.
  if (isOutdated && difference === 0 && item.status === "done") return <Dimmed>Before an undo</Dimmed>;
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

/** The list of the records that the migration has created, in this run and in those before. */
function RecordsLink({ resource, migrationId }: { resource: string; migrationId: string }) {
  return isResource(resource) ? (
    <TextLink href={`/${resource}?migration_id=${migrationId}`} inherit>
      {RECORD_NAMES[resource].plural}
    </TextLink>
  ) : null;
}
