import { Text } from "@mantine/core";

import { Disclosure } from "@/components/ui/layout/disclosure";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import type { Report } from "@/lib/migration/report/report-schema";

type Part = NonNullable<Report["readiness"]["parts"]>[number];

const COLUMNS: StackColumn<Part>[] = [
  { key: "title", header: "Finding", heading: true, cell: ({ title }) => title },
  { key: "points", header: "Points", numeric: true, cell: ({ points }) => signed(points) },
];

/** What the score is made of. */
export function ScoreParts({ readiness: { score, parts, formula } }: { readiness: Report["readiness"] }) {
  if (!parts) return null;
  const rows = [...parts, { code: "score", object: null, title: "Score", points: score }];
  return (
    <Disclosure title="How the score is calculated" note={`${score} of 100`}>
      {formula && (
        <Text size="sm" c="dimmed" my="sm">
          {formula}
        </Text>
      )}
      <StackTable
        caption="Parts of the score"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ code, object, title }) => `${code} ${object} ${title}`}
      />
    </Disclosure>
  );
}

/** The points, with a minus sign that is as wide as digits. */
function signed(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}
