import { Group, SegmentedControl, Stack, Title } from "@mantine/core";
import { useState } from "react";

import { ProblemAlert } from "@/components/feedback/problem-alert";
import { RowsSkeleton } from "@/components/feedback/rows-skeleton";
import { formatNumber } from "@/components/layout/format";
import { PagedTable } from "@/components/layout/paged-table";
import { ISSUE_COLUMNS } from "@/components/migration/migrate/issue-columns";
import { type Outcome, useIssues } from "@/components/migration/migrate/use-issues";

const NAMES: Record<Outcome, string> = { failed: "Failed", skipped: "Skipped on purpose" };

/** Every record that was not imported, with its reason: those that failed, and those that were skipped on purpose. */
export function IssueList({ id, failed, skipped }: { id: string; failed: number; skipped: number }) {
  const counts: Record<Outcome, number> = { failed, skipped };
  const choices = (["failed", "skipped"] as const).filter((outcome) => counts[outcome] > 0);
  const [chosen, setChosen] = useState<Outcome>("failed");
  const outcome = counts[chosen] > 0 ? chosen : (choices[0] ?? "failed");
  return (
    <section>
      <Group justify="space-between" mb="md">
        <Title order={2}>Records that were left out</Title>
        {choices.length > 1 && (
          <SegmentedControl
            aria-label="Which records to show"
            value={outcome}
            onChange={setChosen}
            data={choices.map((value) => ({ value, label: `${NAMES[value]} (${formatNumber(counts[value])})` }))}
          />
        )}
      </Group>
      <Issues key={outcome} id={id} outcome={outcome} />
    </section>
  );
}

function Issues({ id, outcome }: { id: string; outcome: Outcome }) {
  const query = useIssues(id, outcome);
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Stack>
      {query.isPending && <RowsSkeleton label="Loading the records that were left out" />}
      {rows.length > 0 && (
        <PagedTable
          caption={`Records: ${NAMES[outcome].toLowerCase()}`}
          columns={ISSUE_COLUMNS}
          rows={rows}
          rowKey={(issue) => issue.id}
          query={query}
        />
      )}
      {query.isError && !query.isFetchNextPageError && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
    </Stack>
  );
}
