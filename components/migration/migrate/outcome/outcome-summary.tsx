import { Paper, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";

import { formatCount, formatDuration, formatNumber } from "@/components/ui/text/format";
import classes from "@/components/migration/migrate/outcome/outcome-summary.module.css";
import { filesInWords } from "@/components/migration/migrate/file-words";
import { groupInWords, type IssueGroup } from "@/components/migration/migrate/issues/issue-words";
import { changesInWords, leftOutInWords, resultInWords } from "@/components/migration/migrate/progress/progress";
import { useIssueGroups } from "@/components/migration/migrate/issues/use-issue-groups";
import { Moment } from "@/components/ui/text/moment";
import type { Migration } from "@/lib/migration/migration-schema";

const SINCE_THE_RUN_BEFORE = "in Salesforce since the run before";

/** The result of a run in one sentence. */
export function OutcomeSummary({ migration }: { migration: Migration }) {
  const groups = useIssueGroups(migration);
  const isClean = migration.status === "undone" || (migration.reconciled === true && !migration.files?.failed);
  const Icon = isClean ? IconCircleCheck : IconAlertTriangle;
  return (
    <Paper withBorder p={{ base: "lg", sm: "xl" }} className={classes.card} data-clean={isClean || undefined}>
      <Icon size={40} stroke={1.5} aria-hidden className={classes.icon} />
      <div>
        <Title order={2}>{titleOf(migration, groups.data)}</Title>
        <Text c="dimmed" mt={4}>
          {[sentenceOf(migration, groups.data), filesOf(migration)].filter(Boolean).join(" ")}
          <Finished migration={migration} />
        </Text>
      </div>
    </Paper>
  );
}

const isUndecided = ({ code }: IssueGroup) => code === "undecided";

function titleOf(migration: Migration, groups: readonly IssueGroup[] = []): string {
  if (migration.status === "undone") return "The migration was undone";
  if (migration.status === "cancelled") return "The migration was cancelled";
  if (migration.outdated_by_undo) return "An undo may have taken records out";
  if (migration.reconciled === false) return "The counts do not add up";
  return `Every record is accounted for${waitingOf(groups)}${failedFilesOf(migration)}`;
}

function waitingOf(groups: readonly IssueGroup[]): string {
  const undecided = groups.filter(isUndecided).reduce((sum, { count }) => sum + count, 0);
  return undecided > 0 ? `, and ${formatNumber(undecided)} ${undecided === 1 ? "waits" : "wait"} for a decision` : "";
}

function failedFilesOf({ files }: Migration): string {
  return files && files.failed > 0 ? `, but ${formatCount(files.failed, "file")} failed` : "";
}

/** The other records by reason, or by number while the reasons are being loaded; of a delta those to be decided on. */
function sentenceOf(migration: Migration, groups: readonly IssueGroup[] | undefined): string {
  if (migration.status === "undone") return undoneSentence(migration);
  const then = thenSentence(migration);
  if (migration.run_kind === "delta") {
    const undecided = groups?.filter(isUndecided).map(groupInWords) ?? [];
    const changes = changesInWords(migration, SINCE_THE_RUN_BEFORE);
    return `${[changes, ...undecided].join("; ")}.${then || " Everything else stays as it was."}`;
  }
  const first = resultInWords(migration) ?? "";
  const rest = groups ? groups.map(groupInWords) : leftOutInWords(migration);
  return `${[first, ...rest].join("; ")}.${then}`;
}

/** What became of the records since, or of those of the runs before. */
function thenSentence({ reconciled, run_kind: kind, run_number: run, outdated_by_undo: isOutdated, undo }: Migration) {
  if (isOutdated)
    return (
      ` ${undo === null ? "Another" : "A"} migration of this org was undone since, and may have taken out records ` +
      "that this one had counted. Run it again to bring them back."
    );
  return reconciled !== true && kind !== "delta" && run > 1 ? " What the runs before imported stays here." : "";
}

function undoneSentence({ undo }: Migration): string {
  const hasKept = undo?.resources.some(({ kept }) => kept > 0);
  const first = "What it created is deleted, and what it changed is as it was before";
  return `${first}${hasKept ? ", apart from the records that were kept" : ""}.`;
}

function filesOf({ files, status }: Migration): string {
  return files && status !== "undone" ? `${filesInWords(files)}.` : "";
}

function Finished({ migration }: { migration: Migration }) {
  const { started_at, finished_at, run_number, status } = migration;
  if (!started_at || !finished_at || status === "undone") return null;
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000;
  return (
    <>
      {run_number > 1 ? ` Run ${run_number} finished on ` : " Finished on "}
      <Moment iso={finished_at} /> after {formatDuration(seconds)}.
    </>
  );
}
