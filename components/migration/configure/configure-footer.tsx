import { Button, Group, Paper, Text } from "@mantine/core";

import classes from "@/components/migration/configure/configure-step.module.css";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { isUnderWay } from "@/components/migration/wizard/migration-statuses";
import { StepFooter } from "@/components/migration/wizard/step-footer";
import { Announcement } from "@/components/ui/feedback/announcement";
import { formatCount } from "@/components/ui/text/format";
import { LinkButton } from "@/components/ui/text/links";

interface ConfigureFooterProps {
  /** How many choices are not saved. */
  count: number;
  isPossible: boolean;
  save: { isPending: boolean; isSuccess: boolean };
  /** Saves the changes, and then leads on to the next step if they are still all. */
  onSave: (goesOn?: boolean) => void;
  onDiscard: () => void;
  onContinue: () => void;
}

/** Saves or discards the changes, wherever the reader has scrolled to; and leads to the other steps. */
export function ConfigureFooter({ count, isPossible, save, onSave, onDiscard, onContinue }: ConfigureFooterProps) {
  const { migration, isLocked } = useEditing();
  const hasRun = migration.run_number > 0;
  const isChanged = count > 0;
  return (
    <>
      {isChanged && (
        <Paper withBorder shadow="md" className={classes.bar} component="section" aria-label="Unsaved changes">
          <Group justify="space-between" gap="sm">
            <Text size="sm">{formatCount(count, "change is not saved", "changes are not saved")}</Text>
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={onDiscard}>
                Discard changes
              </Button>
              <Button size="xs" disabled={!isPossible} loading={save.isPending} onClick={() => onSave()}>
                Save changes
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
      <Announcement>{save.isSuccess && !isChanged && "Saved."}</Announcement>
      <StepFooter
        promisesNothingWritten={!hasRun}
        back={
          <LinkButton href={`/migration/${migration.migration_id}/report`} variant="default">
            Back to the report
          </LinkButton>
        }
        next={
          isLocked ? (
            <Button onClick={onContinue}>
              {isUnderWay(migration.status) ? "Back to the progress" : "Go to the outcome"}
            </Button>
          ) : (
            <Button
              disabled={!isPossible}
              loading={save.isPending}
              onClick={() => (isChanged ? onSave(true) : onContinue())}
            >
              {continueWords(hasRun, isChanged)}
            </Button>
          )
        }
      />
    </>
  );
}

function continueWords(hasRun: boolean, isChanged: boolean): string {
  if (hasRun) return isChanged ? "Save for the next run" : "Go to the outcome";
  return isChanged ? "Save and continue" : "Continue";
}
