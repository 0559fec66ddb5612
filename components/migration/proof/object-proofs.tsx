import { Code, Paper, Stack, Text, Title } from "@mantine/core";

import { ComparedFields } from "@/components/migration/proof/compared-fields";
import { comparisonsOf } from "@/components/migration/proof/differences";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import { objectName } from "@/lib/migration/objects/source-object-names";
import type { ObjectProof } from "@/lib/migration/proof/proof-schema";

function count(key: "source" | "imported" | "merged" | "left_out" | "missing", header: string) {
  return { key, header, numeric: true, cell: (item: ObjectProof) => formatNumber(item[key]) };
}

const COLUMNS: StackColumn<ObjectProof>[] = [
  { key: "object", header: "Object", heading: true, cell: (item) => objectName(item.object) },
  count("source", "In Salesforce"),
  count("imported", "Here"),
  count("merged", "Merged"),
  count("left_out", "Left out"),
  count("missing", "Missing"),
  {
    key: "differs",
    header: "Differs",
    cell: (item) => differing(item) || (isUncompared(item) ? "Not all compared" : "Nothing"),
  },
];

/** The names of the fields that differ. */
function differing(item: ObjectProof): string {
  const differ = comparisonsOf(item).filter(({ different }) => different > 0);
  return [...new Set(differ.map(({ field }) => field))].join(", ");
}

/** Whether nothing of it is known to be missing or to differ, and yet it is not proven. */
function isUncompared(item: ObjectProof): boolean {
  return !item.proven && item.missing === 0 && !differing(item);
}

/** The comparison of each object, and what it consists of. */
export function ObjectProofs({ objects }: { objects: readonly ObjectProof[] }) {
  if (objects.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="md">
        Objects
      </Title>
      <Stack gap="md">
        <Paper withBorder px={{ base: "md", sm: "xs" }}>
          <StackTable caption="Comparison per object" columns={COLUMNS} rows={objects} rowKey={(item) => item.object} />
        </Paper>
        {objects.map((item) => (
          <Disclosure key={item.object} title={objectName(item.object)} note={noteOf(item)}>
            <Details item={item} />
          </Disclosure>
        ))}
      </Stack>
    </section>
  );
}

function noteOf(item: ObjectProof): string {
  if (item.proven) return "agrees";
  const differs = differing(item);
  const found = [
    item.missing > 0 && `${formatNumber(item.missing)} missing`,
    differs && `differs: ${differs}`,
    item.not_compared && `not compared: ${formatCount(item.not_compared.records, "record")}`,
  ];
  return found.filter(Boolean).join("; ") || "not all fields compared";
}

function Details({ item }: { item: ObjectProof }) {
  return (
    <Stack gap="md" py="sm">
      <Facts>
        <Fact label="Fingerprint of the ids in Salesforce">
          <Code>{item.digests.source}</Code>
        </Fact>
        <Fact label="Fingerprint of those that are accounted for here">
          <Code>{item.digests.accounted_for}</Code>
        </Fact>
        <Fact label="Changed in Salesforce after the run">
          {item.changed_since === null ? "Not counted" : formatCount(item.changed_since, "record")}
        </Fact>
      </Facts>
      {item.not_compared && (
        <Text size="sm">
          Not compared: {formatCount(item.not_compared.records, "record")}. {item.not_compared.reason}
        </Text>
      )}
      {item.not_in_source && (
        <Text size="sm">
          Not of this org, so not compared: {formatCount(item.not_in_source.records, "record")} with Salesforce ids that
          it does not have. They come from another org, were created here, or were deleted in Salesforce since:{" "}
          <Code>{item.not_in_source.ids.join(" ")}</Code>
        </Text>
      )}
      <Text size="sm">
        Query: <Code>{item.soql}</Code>
      </Text>
      {item.missing_ids.length > 0 && (
        <Text size="sm">
          Missing: <Code>{item.missing_ids.join(" ")}</Code>
        </Text>
      )}
      <ComparedFields item={item} />
    </Stack>
  );
}
