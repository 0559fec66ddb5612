import { Group, Loader, Paper, Progress, Text, Title } from "@mantine/core";

import { Announcement } from "@/components/feedback/announcement";
import { formatNumber } from "@/components/layout/format";
import classes from "@/components/migration/analyze/analysis-running.module.css";
import { objectName } from "@/components/migration/object-names";
import { NothingWritten } from "@/components/migration/wizard/step-footer";
import type { Migration } from "@/lib/migration/schemas";

/** What has been counted so far, as it comes in. */
export function AnalysisRunning({ migration }: { migration: Migration }) {
  const counted = migration.objects.filter((item) => item.expected !== null);
  return (
    <Paper withBorder p={{ base: "lg", sm: "xl" }}>
      <Announcement>The analysis is running. You are taken to the report when it is done.</Announcement>
      <Group gap="md" wrap="nowrap" align="flex-start">
        <Loader size="sm" mt={4} aria-hidden />
        <div>
          <Title order={2}>Reading your Salesforce org</Title>
          <Text c="dimmed" maw="38rem" mt={4}>
            We count the records and look at objects, fields, picklists and automations. A small org takes seconds, a large one a few minutes. You can
            close this page; the analysis goes on.
          </Text>
        </div>
      </Group>
      <Progress value={100} animated mt="xl" size="sm" aria-label="The analysis is running" />
      {counted.length > 0 && (
        <dl className={classes.counts}>
          {counted.map((item) => (
            <div key={item.object}>
              <dt>{objectName(item.object)}</dt>
              <dd>{formatNumber(item.expected ?? 0)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={classes.promise}>
        <NothingWritten />
      </div>
    </Paper>
  );
}
