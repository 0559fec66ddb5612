import { Paper, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";

import { formatCount, formatDuration, formatMoment, formatNumber } from "@/components/ui/text/format";
import classes from "@/components/migration/migrate/outcome-summary.module.css";
import { groupInWords, type IssueGroup } from "@/components/migration/migrate/issue-words";
import { totalProgress } from "@/components/migration/migrate/progress";
import { useIssueGroups } from "@/components/migration/migrate/use-issue-groups";
import type { Migration } from "@/lib/migration/migration-schema";

/** The result of a run in one sentence. */
export function OutcomeSummary({ migration }: { migration: Migration }) {
  const groups = useIssueGroups(migration);
  const isClean = migration.reconciled === true;
  const Icon = isClean ? IconCircleCheck : IconAlertTriangle;
  return (
    <Paper
      withBorder
      p={{ base: "lg", sm: "xl" }}
      className={classes.card}
      data-clean={isClean || undefined}
      component="output"
    >
      <Icon size={40} stroke={1.5} aria-hidden className={classes.icon} />
      <div>
        <Title order={2} className={classes.title}>
          {titleOf(migration)}
        </Title>
        <Text c="dimmed" mt={4}>
          {sentenceOf(migration, groups.data)}
        </Text>
      </div>
    </Paper>
  );
}

function titleOf(migration: Migration): string {
  if (migration.status === "undone") return "The migration was undone";
  if (migration.status === "cancelled") return "The migration was cancelled";
  return migration.reconciled === false ? "The counts do not add up" : "Every record is accounted for";
}

/** The other records by reason, or by number while the reasons are being loaded. */
function sentenceOf(migration: Migration, groups: readonly IssueGroup[] | undefined): string {
  if (migration.status === "undone") return "What it created is deleted, and what it changed is as it was before.";
  if (migration.run_kind === "delta") return `${changesOf(migration)}${timeOf(migration)}`;
  const { done } = totalProgress(migration);
  const skipped = migration.objects.reduce((sum, object) => sum + object.skipped, 0);
  const failed = migration.objects.reduce((sum, object) => sum + object.failed, 0);
  const here = done - skipped - failed;
  const counts = [
    skipped > 0 && `${formatNumber(skipped)} ${skipped === 1 ? "was" : "were"} skipped on purpose`,
    failed > 0 && `${formatNumber(failed)} failed`,
  ];
  const rest = groups ? groups.map(groupInWords) : counts.filter((part) => part !== false);
  const first = `${formatNumber(here)} of ${formatCount(done, "record")} ${here === 1 ? "is" : "are"} here`;
  return `${[first, ...rest].join("; ")}.${timeOf(migration)}`;
}

/** A delta counts what has changed, not what is here. */
function changesOf({ objects }: Migration): string {
  const changes = objects.reduce((sum, { created, updated, deleted }) => sum + created + updated + deleted, 0);
  if (changes === 0) return "Nothing had changed in Salesforce since the run before. What is here stays as it is.";
  return `${formatCount(changes, "change")} of records came over from Salesforce since the run before.`;
}

function timeOf({ started_at, finished_at, run_number }: Migration): string {
  if (!started_at || !finished_at) return "";
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000;
  const run = run_number > 1 ? `Run ${run_number} finished` : "Finished";
  return ` ${run} on ${formatMoment(finished_at)} after ${formatDuration(seconds)}.`;
}
