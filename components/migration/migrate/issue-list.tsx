import { Stack, Title } from "@mantine/core";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { IssueGroupCard } from "@/components/migration/migrate/issue-group-card";
import { useIssueGroups } from "@/components/migration/migrate/use-issue-groups";
import type { Migration } from "@/lib/migration/migration-schema";

/** All records that were not imported by reason: first those that failed, then those that were skipped on purpose. */
export function IssueList({ migration }: { migration: Migration }) {
  const groups = useIssueGroups(migration.migration_id);
  return (
    <section>
      <Title order={2} mb="md">
        Records that were left out
      </Title>
      {groups.isPending && <RowsSkeleton label="Loading the records that were left out" />}
      {groups.isError && <ProblemAlert error={groups.error} onRetry={() => void groups.refetch()} />}
      <Stack gap="sm">
        {groups.data?.map((group) => (
          <IssueGroupCard key={`${group.object} ${group.outcome} ${group.code}`} migration={migration} group={group} />
        ))}
      </Stack>
    </section>
  );
}
