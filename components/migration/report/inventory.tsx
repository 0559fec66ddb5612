import { Paper, Stack, Text, Title } from "@mantine/core";

import { Disclosure } from "@/components/ui/layout/disclosure";
import { formatCount, formatCounted, formatNumber } from "@/components/ui/text/format";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { objectLabel } from "@/lib/migration/objects/source-object-names";
import type { ObjectReport } from "@/lib/migration/report/report-schema";
import { recordsInWords, sumLeftOut } from "@/lib/migration/report/wording";
import { isResource } from "@/lib/records/schema/registry";
import classes from "@/components/migration/report/inventory.module.css";
import { CompatibilityBadge } from "@/components/migration/report/findings";
import { RECORD_NAMES } from "@/components/records/record-names";

const OUTCOMES = [
  ["skipped", "be skipped"],
  ["failed", "fail"],
] as const;

const STATUSES: Record<ObjectReport["status"], string> = {
  automatic: "Automatic",
  preview: "Preview",
  planned: "Planned",
  not_supported: "Stays behind",
};

const COLUMNS: StackColumn<ObjectReport>[] = [
  { key: "object", header: "Object", heading: true, cell: (item) => <ObjectCell item={item} /> },
  { key: "count", header: "Records", numeric: true, cell: (item) => <CountCell item={item} /> },
  { key: "status", header: "Status", cell: (item) => STATUSES[item.status] },
  {
    key: "compatibility",
    header: "Compatibility",
    cell: (item) => <CompatibilityBadge compatibility={item.compatibility} />,
  },
  { key: "becomes", header: "Becomes", cell: becomes },
  { key: "reason", header: "Why", wide: true, cell: (item) => item.reason },
];

/** All objects of the org: what is migrated, what is planned, and what stays in Salesforce. */
export function Inventory({ inventory }: { inventory: readonly ObjectReport[] }) {
  const supported = inventory.filter((item) => item.status !== "not_supported");
  const staying = inventory.filter((item) => item.status === "not_supported");
  const left = staying.reduce((sum, item) => sum + (item.count ?? 0), 0);
  const areAllCounted = staying.every(({ count }) => count !== null);
  return (
    <section>
      <Title order={2}>Inventory</Title>
      <Text c="dimmed" size="sm" mb="md">
        A run imports what is automatic; a later version will import what is planned. Compatibility: “Automatic” needs
        nothing from you, “Partial” keeps some fields as custom fields, “Manual review” asks you to decide something.
      </Text>
      <Stack gap="md">
        <Paper withBorder px={{ base: "md", sm: "xs" }} className={classes.table}>
          <StackTable
            caption="Objects that are migrated or planned"
            columns={COLUMNS}
            rows={supported}
            rowKey={(item) => item.object}
            hasMany
          />
        </Paper>
        {staying.length > 0 && (
          <Disclosure
            title="What stays behind"
            note={`${formatCount(staying.length, "object")}, ${recordsInWords(left, areAllCounted)}`}
          >
            <StackTable
              caption="Objects that stay behind"
              columns={COLUMNS}
              rows={staying}
              rowKey={(item) => item.object}
              hasMany
            />
          </Disclosure>
        )}
      </Stack>
    </section>
  );
}

function ObjectCell({ item }: { item: ObjectReport }) {
  return (
    <>
      {objectLabel(item)}
      {objectLabel(item) !== item.object && (
        <Text component="div" size="xs" c="dimmed" fw={400}>
          {item.object}
        </Text>
      )}
    </>
  );
}

/** The number of records, and how many of them a run is expected to leave out. */
function CountCell({ item }: { item: ObjectReport }) {
  const expected = OUTCOMES.flatMap(([outcome, words]) => {
    const records = sumLeftOut(item.left_out, outcome);
    return records === 0 ? [] : [`${formatNumber(records)} expected to ${words}`];
  });
  return (
    <>
      {formatCounted(item.count)}
      {expected.map((line) => (
        <Text key={line} component="div" size="xs" c="dimmed" className={classes.expected}>
          {line}
        </Text>
      ))}
    </>
  );
}

function becomes(item: ObjectReport): string | null {
  return item.resource && isResource(item.resource) ? RECORD_NAMES[item.resource].plural : null;
}
