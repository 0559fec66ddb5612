import { Paper, Text, Title } from "@mantine/core";

import { formatCount, formatEstimate } from "@/components/ui/text/format";
import { filesFound } from "@/components/migration/files-found";
import { BarList } from "@/components/migration/report/bar-list";
import { objectName } from "@/lib/migration/objects/source-object-names";
import type { Report } from "@/lib/migration/report/report-schema";

type Estimate = Report["estimate"];

/** The estimated time of each object in the order of import, as bars on a common time axis; and what else it takes. */
export function Timeline({ estimate }: { estimate: Estimate }) {
  const { seconds: total, timeline } = estimate;
  const last = timeline.at(-1);
  if (!last) return null;
  const end = last.starts_after_seconds + last.seconds || 1;
  const bars = timeline.map(({ object, records, starts_after_seconds: start, seconds }) => ({
    key: object,
    label: objectName(object),
    value: `${formatCount(records, "record")}, ${formatEstimate(seconds)}`,
    start: start / end,
    length: seconds / end,
  }));
  return (
    <section>
      <Title order={2}>Estimated timeline</Title>
      <Text c="dimmed" size="sm" mb="md">
        Importing all objects, one after the other, takes {formatEstimate(total)}. This was measured during the
        analysis; it may take longer while others use the org.
      </Text>
      <Paper withBorder p={{ base: "md", sm: "lg" }}>
        <BarList bars={bars} />
        <Needs estimate={estimate} />
      </Paper>
    </section>
  );
}

const BUDGET: Record<NonNullable<Estimate["budget"]>["verdict"], string> = {
  enough: "The org had enough API requests left when it was analyzed.",
  enough_with_bulk:
    "The org had enough API requests left when it was analyzed, if large objects are read by the Bulk API.",
  not_today:
    "The org had too few API requests left when it was analyzed. A run waits when they are used up, and goes on by " +
    "itself.",
  unknown: "The org does not say how many API requests it has left.",
};

/** The API requests of a run, and what copying the files would take. */
function Needs({ estimate: { budget, files } }: { estimate: Estimate }) {
  if (!budget && !files) return null;
  return (
    <Text size="sm" mt="lg">
      {budget && `A run needs ${formatCount(budget.least, "API request")} at least. ${BUDGET[budget.verdict]} `}
      {files &&
        `Copying each file once (${filesFound(files)}) would take ${formatEstimate(files.seconds)} more; you can ` +
          "choose so in the next step."}
    </Text>
  );
}
