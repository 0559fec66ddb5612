import { Stack, Title } from "@mantine/core";

import { Loaded } from "@/components/ui/feedback/loaded";
import { IssueGroupCard } from "@/components/migration/migrate/issue-group-card";
import { useIssueGroups } from "@/components/migration/migrate/use-issue-groups";
import type { Migration } from "@/lib/migration/migration-schema";

/** All records that were not imported by reason: first those that failed, then those that were skipped on purpose. */
export function IssueList({ migration }: { migration: Migration }) {
  const query = useIssueGroups(migration.migration_id);
  return (
    <section>
      <Title order={2} mb="md">
        Records that were left out
      </Title>
      <Loaded query={query} loading="Loading the records that were left out">
        {(groups) => (
          <Stack gap="sm">
            {groups.map((group) => (
              <IssueGroupCard
                key={`${group.object} ${group.outcome} ${group.code}`}
                migration={migration}
                group={group}
              />
            ))}
          </Stack>
        )}
      </Loaded>
    </section>
  );
}
