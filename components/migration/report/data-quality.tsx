import { Box, Paper, Text, Title } from "@mantine/core";

import { RECORD_NAMES } from "@/components/records/record-names";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import { objectName } from "@/lib/migration/objects/migrated-objects";
import type { Report } from "@/lib/migration/report/report-schema";
import { isResource } from "@/lib/records/schema/registry";

type Quality = NonNullable<Report["quality"]>;
type Duplicates = Quality["duplicates"][number];
type Orphans = Quality["orphans"]["data"][number];

const CHOICES: Record<Orphans["choice"], string> = {
  heal: "The link is completed when the other record arrives",
  keep_id: "The link stays empty; its id is kept as a custom field",
  leave_out: "The record is left out",
};

const COLUMNS: StackColumn<Orphans>[] = [
  {
    key: "link",
    header: "Link",
    heading: true,
    cell: ({ object, label, target }) => `${objectName(object)}: ${label} (${nameOf(target)})`,
  },
  { key: "records", header: "Have it", numeric: true, cell: ({ records }) => numberOf(records) },
  { key: "missing", header: "Lead nowhere", numeric: true, cell: ({ missing }) => numberOf(missing) },
  { key: "choice", header: "Then", cell: ({ choice, missing }) => (missing === 0 ? null : CHOICES[choice]) },
];

/** Duplicates and links that lead nowhere, counted by the rules of a run. */
export function DataQuality({ quality: { duplicates, orphans } }: { quality: Quality }) {
  const linked = orphans.data.filter(({ records }) => records !== 0);
  const broken = linked.filter(({ missing }) => missing !== 0);
  const sound = linked.filter(({ missing }) => missing === 0);
  return (
    <section>
      <Title order={2}>Data quality</Title>
      <Text c="dimmed" size="sm" mb="md">
        Counted by the rules that a run uses. The next step lets you choose what becomes of them.
      </Text>
      <Paper withBorder p={{ base: "md", sm: "lg" }}>
        {duplicates.map((found) => (
          <Text key={found.object} size="sm" mb="sm">
            <b>{objectName(found.object)}:</b> {sentenceOf(found)}
          </Text>
        ))}
        {broken.length > 0 && <Links caption="Links that lead nowhere" links={broken} />}
        {orphans.not_counted_because && (
          <Text size="sm" c="dimmed" mt="sm">
            Not everything is counted. {orphans.not_counted_because}
          </Text>
        )}
      </Paper>
      {sound.length > 0 && (
        <Box mt="md">
          <Disclosure title="Links that are all sound" note={formatCount(sound.length, "link")}>
            <Links caption="Links that are all sound" links={sound} />
          </Disclosure>
        </Box>
      )}
    </section>
  );
}

function Links({ caption, links }: { caption: string; links: readonly Orphans[] }) {
  return (
    <StackTable
      caption={caption}
      columns={COLUMNS}
      rows={links}
      rowKey={({ object, field, target }) => `${object} ${field} ${target}`}
    />
  );
}

function sentenceOf({ clusters, duplicates, records, measured, not_counted_because: reason }: Duplicates): string {
  if (clusters === null || duplicates === null) return `duplicates were not counted. ${reason ?? ""}`;
  const compared =
    measured === "sampled" ? `the oldest ${formatNumber(records)} compared` : `all ${formatNumber(records)} compared`;
  if (clusters === 0) return `no duplicates found, ${compared}.`;
  const found = duplicates === 1 ? "1 is a duplicate" : `${formatNumber(duplicates)} are duplicates`;
  return `${found}, in ${formatCount(clusters, "group")} of the same, ${compared}.`;
}

function nameOf(target: string): string {
  return isResource(target) ? RECORD_NAMES[target].singular.toLowerCase() : target;
}

function numberOf(count: number | null): string {
  return count === null ? "not counted" : formatNumber(count);
}
