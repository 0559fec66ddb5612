import { Group, Loader, Paper, Progress, Stack, Text, Title } from "@mantine/core";

import { Announcement } from "@/components/ui/feedback/announcement";
import { NothingWritten } from "@/components/migration/wizard/step-footer";

/** Shown while the analysis runs: what it does. */
export function AnalysisRunning() {
  return (
    <Paper withBorder p={{ base: "lg", sm: "xl" }}>
      <Announcement>The analysis is running. You are taken to the report when it is done.</Announcement>
      <Stack gap="xl">
        <Group gap="md" wrap="nowrap" align="flex-start">
          <Loader size="sm" mt={4} aria-hidden />
          <div>
            <Title order={2}>Reading your Salesforce org</Title>
            <Text c="dimmed" maw="38rem" mt={4}>
              We count the records and look at objects, fields, picklists and automations. A small org takes seconds, a
              large one a few minutes. You can close this page; the analysis goes on.
            </Text>
          </div>
        </Group>
        <Progress value={100} animated size="sm" aria-hidden />
        <NothingWritten />
      </Stack>
    </Paper>
  );
}
