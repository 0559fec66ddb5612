import { Paper, Text, Title } from "@mantine/core";

import { AnalyzeAgain } from "@/components/migration/connect-again";
import { StepFooter } from "@/components/migration/wizard/step-footer";
import { LinkButton } from "@/components/ui/text/links";
import { Moment } from "@/components/ui/text/moment";
import type { Migration } from "@/lib/migration/migration-schema";

/** The step of an analysis that has finished. */
export function AnalysisDone({ migration }: { migration: Migration }) {
  return (
    <>
      <Paper withBorder p={{ base: "lg", sm: "xl" }}>
        <Title order={2}>The analysis is finished</Title>
        <Text c="dimmed" mt={4} maw="38rem">
          Connected on <Moment iso={migration.created_at} />. The report shows what was found. If the org has changed a
          lot since, analyze it again for a new report.
        </Text>
      </Paper>
      <StepFooter
        promisesNothingWritten={migration.run_number === 0}
        back={<AnalyzeAgain instanceUrl={migration.ext_instance_url} variant="default" />}
        next={<LinkButton href={`/migration/${migration.migration_id}/report`}>Read the report</LinkButton>}
      />
    </>
  );
}
