import { Skeleton, Stack, Text } from "@mantine/core";

import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatCount, formatCounted } from "@/components/ui/text/format";
import type { AnalysisProgress } from "@/lib/migration/report/analysis-schema";
import { recordsInWords } from "@/lib/migration/report/wording";

type Counted = AnalysisProgress["objects"][number];

const COLUMNS: StackColumn<Counted>[] = [
  { key: "object", header: "Object", heading: true, cell: ({ label }) => label },
  {
    key: "count",
    header: "Records",
    numeric: true,
    cell: ({ count }) => formatCounted(count),
  },
  { key: "fields", header: "Fields", cell: ({ fields_read: isRead }) => (isRead ? "read" : "to be read") },
];

/** The objects that are counted so far. They appear one by one. */
export function CountedObjects({ progress }: { progress: AnalysisProgress | undefined }) {
  const objects = progress?.objects ?? [];
  if (objects.length === 0)
    return (
      <Stack gap="md" aria-hidden>
        {["first", "second", "third", "fourth"].map((row) => (
          <Skeleton key={row} height={20} radius="sm" />
        ))}
      </Stack>
    );
  return (
    <div>
      <StackTable caption="Objects counted so far" columns={COLUMNS} rows={objects} rowKey={({ object }) => object} />
      <Text c="dimmed" size="sm" mt="md">
        {progress?.others
          ? `Beside them the org has ${formatCount(progress.others.objects, "object")} with ` +
            `${recordsInWords(progress.others.records, progress.others.all_counted)} that stay in Salesforce. The ` +
            "report lists them."
          : "More objects are being counted."}
      </Text>
    </div>
  );
}
