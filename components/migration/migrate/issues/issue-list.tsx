import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import { useControl } from "@/components/migration/control/use-control";
import { IssueGroupCard } from "@/components/migration/migrate/issues/issue-group-card";
import { canRetry, retryAdvice } from "@/components/migration/migrate/issues/retries";
import { useIssueGroups } from "@/components/migration/migrate/issues/use-issue-groups";
import { Loaded } from "@/components/ui/feedback/loaded";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { formatCount } from "@/components/ui/text/format";
import type { Migration } from "@/lib/migration/migration-schema";

/** All records that were not imported by reason: first those that failed, then those that were skipped on purpose. */
export function IssueList({ migration }: { migration: Migration }) {
  const query = useIssueGroups(migration);
  return (
    <section aria-labelledby="left-out">
      <Group justify="space-between" align="flex-end" gap="sm" mb="md">
        <Title order={2} id="left-out">
          Records that were left out
        </Title>
        <Button
          component="a"
          href={`/api/v1/migration/${migration.migration_id}/errors/download`}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download as CSV
        </Button>
      </Group>
      <Retry migration={migration} />
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

/** Reads the failed records once more, after their cause has been mended. */
function Retry({ migration }: { migration: Migration }) {
  const retry = useControl(migration.migration_id);
  const failed = migration.objects.reduce((sum, object) => sum + object.failed, 0);
  if (failed === 0) return null;
  return (
    <Stack gap="sm" mb="md">
      {retry.isError && <ProblemAlert error={retry.error} takesFocus />}
      <Group gap="sm">
        <Text size="sm" c="dimmed" flex={1} miw="14rem">
          {retryAdvice(migration, formatCount(failed, "record"))}
        </Text>
        <Button
          disabled={!migration.connected || !canRetry(migration)}
          loading={retry.isPending}
          onClick={() => retry.mutate("retry")}
        >
          Retry failed records
        </Button>
      </Group>
    </Stack>
  );
}
