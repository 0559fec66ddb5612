import { Box, Paper, Text, Title } from "@mantine/core";

import { LinkName } from "@/components/migration/link-name";
import { RECORD_NAMES } from "@/components/records/record-names";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatCount, formatCounted, formatNumber } from "@/components/ui/text/format";
import { isSelectable, objectName } from "@/lib/migration/objects/source-object-names";
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

const columnsOf = (inventory: Report["inventory"]): StackColumn<Orphans>[] => [
  { key: "link", header: "Link", heading: true, cell: (link) => <LinkName link={link} /> },
  { key: "records", header: "Have it", numeric: true, cell: ({ records }) => formatCounted(records) },
  { key: "missing", header: "Lead nowhere", numeric: true, cell: ({ missing }) => formatCounted(missing) },
  {
    key: "choice",
    header: "Then",
    wide: true,
    cell: (link) => (link.missing === 0 ? null : whatBecomes(link, inventory)),
  },
];

/** What becomes of links without another record; the other one may be of an object that is not migrated yet. */
export function whatBecomes({ choice, target }: Pick<Orphans, "choice" | "target">, inventory: Report["inventory"]) {
  const isComing = inventory.some(({ resource, status }) => resource === target && isSelectable(status));
  if (choice !== "heal" || isComing || !isResource(target)) return CHOICES[choice];
  return `The link is completed once ${RECORD_NAMES[target].plural.toLowerCase()} can be migrated; its id is kept`;
}

interface DataQualityProps {
  quality: Quality;
  inventory: Report["inventory"];
}

/** Duplicates and links that lead nowhere, counted by the rules of a run. */
export function DataQuality({ quality: { duplicates, orphans }, inventory }: DataQualityProps) {
  const linked = orphans.data.filter(({ records }) => records !== 0);
  const broken = linked.filter(({ missing }) => missing !== 0);
  const sound = linked.filter(({ missing }) => missing === 0);
  // Of an object without records there is nothing to say.
  const told = duplicates.filter(({ clusters, records }) => clusters === null || records > 0);
  const isEmpty = told.length === 0 && broken.length === 0 && !orphans.not_counted_because;
  if (isEmpty && sound.length === 0) return null;
  return (
    <section>
      <Title order={2}>Data quality</Title>
      <Text c="dimmed" size="sm" mb="md">
        Counted by the rules that a run uses. The next step lets you choose what becomes of them.
      </Text>
      {!isEmpty && (
        <Paper withBorder p={{ base: "md", sm: "lg" }}>
          {told.map((found) => (
            <Text key={found.object} size="sm" mb="sm">
              <b>{objectName(found.object)}:</b> {sentenceOf(found)}
            </Text>
          ))}
          {broken.length > 0 && <Links caption="Links that lead nowhere" links={broken} inventory={inventory} />}
          {orphans.not_counted_because && (
            <Text size="sm" c="dimmed" mt="sm">
              Not everything is counted. {orphans.not_counted_because}
            </Text>
          )}
        </Paper>
      )}
      {sound.length > 0 && (
        <Box mt="md">
          <Disclosure title="Links that are all sound" note={formatCount(sound.length, "link")}>
            <Links caption="Links that are all sound" links={sound} inventory={inventory} />
          </Disclosure>
        </Box>
      )}
    </section>
  );
}

interface LinksProps {
  caption: string;
  links: readonly Orphans[];
  inventory: Report["inventory"];
}

function Links({ caption, links, inventory }: LinksProps) {
  return (
    <StackTable
      caption={caption}
      columns={columnsOf(inventory)}
      rows={links}
      rowKey={({ object, field, target }) => `${object} ${field} ${target}`}
    />
  );
}

function sentenceOf({ clusters, duplicates, records, measured, not_counted_because: reason }: Duplicates): string {
  if (clusters === null || duplicates === null) return `duplicates were not counted. ${reason ?? ""}`;
  const compared =
    measured === "sampled" ? `the oldest ${formatNumber(records)} compared` : `all ${formatNumber(records)} compared`;
  if (clusters === 0) return `no duplicates to merge, ${compared}.`;
  const found = duplicates === 1 ? "1 is a duplicate" : `${formatNumber(duplicates)} are duplicates`;
  return `${found}, in ${formatCount(clusters, "cluster")}, ${compared}.`;
}
