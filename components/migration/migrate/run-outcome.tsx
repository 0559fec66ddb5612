import { Button, Stack } from "@mantine/core";

import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { ConnectAgain } from "@/components/migration/connect-again";
import { DisconnectedNote } from "@/components/migration/disconnected-note";
import { FailureAlert } from "@/components/migration/failure-alert";
import { IssueList } from "@/components/migration/migrate/issue-list";
import { OutcomeSummary } from "@/components/migration/migrate/outcome-summary";
import { ReconciliationTable } from "@/components/migration/migrate/reconciliation-table";
import { useRun } from "@/components/migration/migrate/use-run";
import { StepFooter } from "@/components/migration/wizard/step-footer";
import { LinkButton } from "@/components/ui/text/link-button";
import type { Migration } from "@/lib/migration/migration-schema";

/** The result of a run: the outcome of every record, and the reasons of those that were left out. */
export function RunOutcome({ migration }: { migration: Migration }) {
  const run = useRun(migration.migration_id);
  const leftOut = migration.objects.reduce((sum, object) => sum + object.skipped + object.failed, 0);
  return (
    <Stack gap="xl">
      {migration.status === "failed" ? (
        <FailureAlert title="The migration stopped" failure={migration.failure}>
          {migration.connected && migration.failure?.code === "source_token_refused" && (
            <ConnectAgain instanceUrl={migration.ext_instance_url} />
          )}
        </FailureAlert>
      ) : (
        <OutcomeSummary migration={migration} />
      )}
      <ReconciliationTable objects={migration.objects} />
      {leftOut > 0 && <IssueList migration={migration} />}
      {!migration.connected && <DisconnectedNote instanceUrl={migration.ext_instance_url} />}
      {run.isError && <ProblemAlert error={run.error} takesFocus />}
      <Footer migration={migration} isStarting={run.isPending} onRun={() => run.mutate()} />
    </Stack>
  );
}

interface FooterProps {
  migration: Migration;
  isStarting: boolean;
  onRun: () => void;
}

function Footer({ migration, isStarting, onRun }: FooterProps) {
  return (
    <StepFooter
      promisesNothingWritten={false}
      back={
        <>
          <LinkButton href={`/migration/${migration.migration_id}/configure`} variant="default">
            Change the configuration
          </LinkButton>
          <LinkButton href={`/migration/${migration.migration_id}/proof`} variant="default">
            Compare with Salesforce
          </LinkButton>
        </>
      }
      next={
        <Button
          variant={migration.status === "failed" ? "filled" : "default"}
          disabled={!migration.connected}
          loading={isStarting}
          onClick={onRun}
        >
          Run again
        </Button>
      }
    />
  );
}
