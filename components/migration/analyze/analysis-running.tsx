import { Divider, Paper, Stack, Text, Title } from "@mantine/core";

import { AnalysisSteps } from "@/components/migration/analyze/analysis-steps";
import { CountedObjects } from "@/components/migration/analyze/counted-objects";
import { useAnalysis } from "@/components/migration/use-migration";
import { WaitingAlert } from "@/components/migration/waiting-alert";
import { NothingWritten } from "@/components/migration/wizard/step-footer";
import type { Migration } from "@/lib/migration/migration-schema";

/** Shown while the analysis runs: what it reads now, and the objects that it has counted. */
export function AnalysisRunning({ id, waiting }: { id: string; waiting: Migration["waiting"] }) {
  const { data } = useAnalysis(id);
  return (
    <Paper withBorder p={{ base: "lg", sm: "xl" }}>
      <Stack gap="xl">
        <div>
          <Title order={2}>Reading your Salesforce org</Title>
          <Text c="dimmed" maw="38rem" mt={4}>
            A small org takes seconds, a large one a few minutes. You can close this page; the analysis goes on.
          </Text>
        </div>
        {waiting && <WaitingAlert waiting={waiting} />}
        <AnalysisSteps progress={data} />
        <Divider />
        <CountedObjects progress={data} />
        <NothingWritten />
      </Stack>
    </Paper>
  );
}
