import { Button, Stack, Text } from "@mantine/core";

import { AnalyzeAgain } from "@/components/migration/connect-again";
import { ConflictList } from "@/components/migration/conflicts/conflict-list";
import { useControl } from "@/components/migration/control/use-control";
import { DeltaPanel } from "@/components/migration/delta/delta-panel";
import { hasDeltas } from "@/components/migration/delta/deltas";
import { DisconnectedNote } from "@/components/migration/disconnected-note";
import { FailureAlert } from "@/components/migration/failure-alert";
import { HistoryTimeline } from "@/components/migration/history/history-timeline";
import { ChangedChoices } from "@/components/migration/migrate/outcome/changed-choices";
import { FilesOutcome } from "@/components/migration/migrate/outcome/files-outcome";
import { IssueList } from "@/components/migration/migrate/issues/issue-list";
import { OutcomeSummary } from "@/components/migration/migrate/outcome/outcome-summary";
import { PhaseList } from "@/components/migration/migrate/phase-list";
import { ReconciliationTable } from "@/components/migration/migrate/outcome/reconciliation-table";
import { ProofNote } from "@/components/migration/proof/proof-note";
import { UndoOutcome } from "@/components/migration/undo/undo-outcome";
import { UndoPanel } from "@/components/migration/undo/undo-panel";
import { StepFooter } from "@/components/migration/wizard/step-footer";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { LinkButton } from "@/components/ui/text/links";
import type { Migration } from "@/lib/migration/migration-schema";

interface RunOutcomeProps {
  migration: Migration;
  isAdmin: boolean;
}

/** The result of a run: the outcome of every record, what can be done next, and what happened. */
export function RunOutcome({ migration, isAdmin }: RunOutcomeProps) {
  const isUndone = migration.status === "undone";
  return (
    <Stack gap="xl">
      <Result migration={migration} isAdmin={isAdmin} />
      <UndoOutcome migration={migration} />
      {!isUndone && <ChangedChoices migration={migration} />}
      {!isUndone && <Imported migration={migration} />}
      {!isUndone && <PhaseList migration={migration} phases={migration.phases} runAll="Run again" />}
      {!migration.connected && !isUndone && <DisconnectedNote migration={migration} />}
      {hasDeltas(migration) && <DeltaPanel migration={migration} />}
      {isAdmin && (!isUndone || hasKept(migration)) && <UndoPanel migration={migration} />}
      <HistoryTimeline migration={migration} />
      <Footer migration={migration} />
    </Stack>
  );
}

function Result({ migration, isAdmin }: RunOutcomeProps) {
  const { status } = migration;
  return (
    <>
      {status === "failed" ? (
        <Stopped migration={migration} isAdmin={isAdmin} />
      ) : (
        <OutcomeSummary migration={migration} />
      )}
      {status !== "failed" && status !== "undone" && <ProofNote migration={migration} />}
    </>
  );
}

/** Why the last run stopped, or the undo that came after it, which goes on by another one. */
function Stopped({ migration, isAdmin }: RunOutcomeProps) {
  const { failure, connected, undo } = migration;
  if (!undo?.failed) {
    // Of a disconnected org, a note below offers new access.
    return <FailureAlert title="The migration stopped" failure={failure} {...(connected && { migration })} />;
  }
  return (
    <FailureAlert title="The undo stopped" failure={failure}>
      {!isAdmin && <Text size="sm">Only admins undo a migration: ask one of them.</Text>}
    </FailureAlert>
  );
}

/** What is here, what was left out, and what waits for a decision. */
function Imported({ migration }: { migration: Migration }) {
  const leftOut = migration.objects.reduce((sum, object) => sum + object.skipped + object.failed, 0);
  return (
    <>
      <ReconciliationTable migration={migration} />
      <ConflictList migration={migration} />
      <FilesOutcome migration={migration} />
      {leftOut > 0 && <IssueList migration={migration} />}
    </>
  );
}

function hasKept({ undo }: Migration): boolean {
  return undo !== null && undo.resources.some(({ kept }) => kept > 0);
}

function Footer({ migration }: { migration: Migration }) {
  const { migration_id: id, status, connected, undo, ext_instance_url: instanceUrl } = migration;
  const run = useControl(id);
  const isUndone = status === "undone";
  return (
    <>
      {run.isError && <ProblemAlert error={run.error} takesFocus />}
      <StepFooter
        promisesNothingWritten={false}
        back={
          <>
            <LinkButton href={`/migration/${id}/configure`} variant="default">
              {isUndone ? "See the configuration" : "Change the configuration"}
            </LinkButton>
            {!isUndone && (
              <LinkButton href={`/migration/${id}/proof`} variant="default">
                Compare with Salesforce
              </LinkButton>
            )}
          </>
        }
        next={
          isUndone ? (
            // An undone migration is at its end; a new one imports the records anew.
            <AnalyzeAgain instanceUrl={instanceUrl} />
          ) : (
            <Button
              variant={status === "failed" && !undo?.failed ? "filled" : "default"}
              disabled={!connected}
              loading={run.isPending}
              onClick={() => run.mutate("run")}
            >
              Run again
            </Button>
          )
        }
      />
    </>
  );
}
